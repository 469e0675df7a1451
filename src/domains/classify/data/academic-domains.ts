import { words } from '../../../engine/signals/data/words.js';

/**
 * Universities, academies and research organisations in countries without a reserved suffix for them, by country. Names
 * under `.edu`, `.edu.xx` and `.ac.xx` need no list. Each entry includes the names below it.
 */
export const ACADEMIC_DOMAINS: readonly string[] = words(`
  uni-heidelberg.de uni-muenchen.de lmu.de tum.de rwth-aachen.de uni-bonn.de uni-koeln.de uni-freiburg.de
  uni-tuebingen.de uni-goettingen.de uni-hamburg.de uni-frankfurt.de uni-mainz.de uni-marburg.de uni-giessen.de
  uni-kassel.de uni-muenster.de uni-bielefeld.de uni-bochum.de ruhr-uni-bochum.de rub.de uni-due.de tu-dortmund.de
  uni-duesseldorf.de hhu.de uni-wuppertal.de uni-siegen.de uni-paderborn.de uni-osnabrueck.de uni-oldenburg.de
  uni-bremen.de uni-hannover.de tu-braunschweig.de tu-clausthal.de leuphana.de uni-hildesheim.de uni-kiel.de
  uni-luebeck.de uni-rostock.de uni-greifswald.de fu-berlin.de hu-berlin.de tu-berlin.de udk-berlin.de charite.de
  uni-potsdam.de europa-uni.de b-tu.de uni-leipzig.de tu-dresden.de tu-chemnitz.de tu-freiberg.de uni-halle.de ovgu.de
  uni-jena.de tu-ilmenau.de uni-erfurt.de uni-weimar.de uni-wuerzburg.de uni-bamberg.de uni-bayreuth.de
  uni-regensburg.de uni-passau.de uni-augsburg.de fau.de uni-erlangen.de uni-stuttgart.de uni-hohenheim.de uni-ulm.de
  uni-konstanz.de uni-mannheim.de uni-saarland.de uni-trier.de uni-koblenz.de rptu.de uni-kl.de tu-darmstadt.de
  fernuni-hagen.de unibw.de hsu-hh.de tuhh.de uni-vechta.de uni-flensburg.de hs-mannheim.de th-koeln.de haw-hamburg.de
  htw-berlin.de htw-dresden.de htwk-leipzig.de hs-bremen.de hs-karlsruhe.de hka-karlsruhe.de hs-esslingen.de
  hft-stuttgart.de fh-aachen.de fh-dortmund.de fh-muenster.de fh-kiel.de fh-erfurt.de fh-bielefeld.de hsbi.de
  hs-niederrhein.de hs-osnabrueck.de hs-hannover.de hs-fulda.de h-da.de hs-rm.de oth-regensburg.de th-nuernberg.de
  thi.de hs-augsburg.de tha.de hs-kempten.de th-deg.de dhbw.de dhbw-stuttgart.de dhbw-karlsruhe.de dhbw-mannheim.de
  mpg.de fraunhofer.de helmholtz.de leibniz-gemeinschaft.de dlr.de fz-juelich.de desy.de dkfz.de gsi.de

  ethz.ch epfl.ch uzh.ch unibe.ch unibas.ch unige.ch unil.ch unifr.ch unine.ch unilu.ch unisg.ch usi.ch zhaw.ch fhnw.ch
  bfh.ch hslu.ch ost.ch hes-so.ch supsi.ch psi.ch empa.ch wsl.ch cern.ch

  sorbonne-universite.fr sorbonne.fr upmc.fr univ-paris1.fr pantheonsorbonne.fr assas-universite.fr
  sorbonne-nouvelle.fr univ-paris8.fr parisnanterre.fr universite-paris-saclay.fr u-psud.fr u-pec.fr u-paris.fr
  univ-paris-diderot.fr parisdescartes.fr uvsq.fr univ-evry.fr univ-eiffel.fr univ-lille.fr univ-amu.fr univ-lyon1.fr
  univ-lyon2.fr univ-lyon3.fr univ-grenoble-alpes.fr univ-smb.fr univ-nantes.fr univ-rennes.fr univ-rennes1.fr
  univ-rennes2.fr univ-brest.fr univ-ubs.fr univ-angers.fr univ-lemans.fr univ-tours.fr univ-orleans.fr
  univ-poitiers.fr univ-larochelle.fr univ-limoges.fr u-bordeaux.fr u-bordeaux-montaigne.fr univ-pau.fr univ-tlse2.fr
  univ-tlse3.fr ut-capitole.fr umontpellier.fr univ-montp3.fr univ-perp.fr unimes.fr univ-avignon.fr univ-tln.fr
  univ-cotedazur.fr unice.fr universita.corsica uca.fr univ-st-etienne.fr u-bourgogne.fr univ-fcomte.fr unistra.fr
  uha.fr univ-lorraine.fr univ-reims.fr univ-troyes.fr utt.fr utc.fr utbm.fr u-picardie.fr univ-artois.fr
  univ-littoral.fr uphf.fr univ-rouen.fr univ-lehavre.fr unicaen.fr univ-reunion.fr univ-antilles.fr polytechnique.fr
  ens.fr ens-lyon.fr ens-paris-saclay.fr ens-rennes.fr centralesupelec.fr mines-paristech.fr minesparis.psl.eu psl.eu
  ponts.org enpc.fr telecom-paris.fr imt.fr imt-atlantique.fr ensta.fr ensta-paris.fr agroparistech.fr sciencespo.fr
  hec.fr escp.eu edhec.com em-lyon.com insa-lyon.fr insa-toulouse.fr insa-rennes.fr insa-rouen.fr ec-lyon.fr
  ec-nantes.fr centrale-marseille.fr isae-supaero.fr enac.fr ehess.fr ephe.psl.eu inalco.fr cnam.fr epita.fr epitech.eu
  cnrs.fr inria.fr inserm.fr inrae.fr cea.fr ird.fr pasteur.fr

  uva.nl vu.nl uu.nl leidenuniv.nl rug.nl tudelft.nl tue.nl utwente.nl ru.nl eur.nl maastrichtuniversity.nl wur.nl
  uvt.nl ou.nl hva.nl inholland.nl hr.nl hu.nl hanze.nl fontys.nl saxion.nl windesheim.nl avans.nl han.nl knaw.nl
  tno.nl surf.nl kuleuven.be ugent.be vub.be ulb.be uantwerpen.be uclouvain.be uliege.be umons.be unamur.be uhasselt.be
  imec.be uni.lu

  ku.dk au.dk dtu.dk sdu.dk aau.dk ruc.dk cbs.dk itu.dk uio.no uib.no ntnu.no uit.no nmbu.no uis.no uia.no oslomet.no
  nord.no bi.no nhh.no hvl.no inn.no usn.no sintef.no uu.se lu.se su.se gu.se kth.se chalmers.se liu.se umu.se ki.se
  slu.se oru.se kau.se lnu.se miun.se mdu.se mdh.se ltu.se hh.se hb.se hj.se ju.se bth.se his.se hig.se du.se hhs.se
  mau.se sh.se helsinki.fi aalto.fi tuni.fi tut.fi uta.fi utu.fi oulu.fi jyu.fi uef.fi lut.fi abo.fi ulapland.fi
  uwasa.fi hanken.fi arcada.fi metropolia.fi haaga-helia.fi turkuamk.fi tamk.fi jamk.fi vtt.fi hi.is ru.is unak.is

  unibo.it uniroma1.it uniroma2.it uniroma3.it unimi.it unimib.it polimi.it unibocconi.it unicatt.it polito.it unito.it
  unipd.it unive.it iuav.it univr.it units.it uniud.it unitn.it unibz.it unige.it unipr.it unimore.it unife.it unifi.it
  unipi.it sns.it santannapisa.it unisi.it imtlucca.it unipg.it univpm.it unimc.it unicam.it uniurb.it univaq.it
  unich.it unite.it unina.it unina2.it unicampania.it uniparthenope.it uniorientale.it unisannio.it unisa.it unimol.it
  uniba.it poliba.it unisalento.it unifg.it unibas.it unical.it unirc.it unicz.it unipa.it unict.it unime.it unica.it
  uniss.it luiss.it unibg.it unibs.it unipv.it uninsubria.it uniupo.it sissa.it iit.it cnr.it infn.it

  uab.cat udl.cat urv.cat ucm.es uam.es upm.es uc3m.es urjc.es uah.es uned.es us.es upo.es ugr.es uma.es uco.es uca.es
  uhu.es ujaen.es ual.es uv.es upv.es ua.es uji.es umh.es um.es upct.es unizar.es ehu.eus ehu.es deusto.es unav.es
  unavarra.es unirioja.es unican.es uniovi.es usc.es usc.gal udc.es udc.gal uvigo.es uvigo.gal usal.es uva.es
  unileon.es ubu.es uclm.es unex.es uib.es uib.cat ull.es ulpgc.es csic.es ulisboa.pt tecnico.ulisboa.pt up.pt uc.pt
  uminho.pt ua.pt uevora.pt ualg.pt ubi.pt utad.pt unl.pt iscte-iul.pt iscte.pt ucp.pt uab.pt uac.pt uma.pt ipl.pt
  ipp.pt

  tcd.ie ucd.ie ucc.ie universityofgalway.ie nuigalway.ie dcu.ie ul.ie mu.ie nuim.ie tudublin.ie mtu.ie setu.ie atu.ie
  rcsi.ie rcsi.com

  cuni.cz cvut.cz vutbr.cz muni.cz upol.cz vse.cz vscht.cz osu.cz vsb.cz zcu.cz tul.cz upce.cz uhk.cz jcu.cz mendelu.cz
  czu.cz ujep.cz utb.cz cas.cz uniba.sk stuba.sk tuke.sk upjs.sk uniza.sk umb.sk ukf.sk truni.sk elte.hu bme.hu
  uni-corvinus.hu szte.hu u-szeged.hu unideb.hu pte.hu semmelweis.hu uni-pannon.hu uni-miskolc.hu sze.hu unibuc.ro
  upb.ro ase.ro ubbcluj.ro utcluj.ro uaic.ro tuiasi.ro uvt.ro upt.ro ulbsibiu.ro unitbv.ro ucv.ro ugal.ro uoradea.ro
  umfcd.ro snspa.ro uni-sofia.bg tu-sofia.bg unwe.bg nbu.bg uni-plovdiv.bg unizg.hr uniri.hr unist.hr unios.hr
  uni-lj.si um.si upr.si unizd.hr ut.ee taltech.ee ttu.ee tlu.ee emu.ee lu.lv rtu.lv rsu.lv vu.lt ktu.lt vdu.lt vgtu.lt
  vilniustech.lt uoa.gr auth.gr ntua.gr upatras.gr uoc.gr tuc.gr aueb.gr uoi.gr duth.gr uom.gr unipi.gr uth.gr

  msu.ru spbu.ru hse.ru mipt.ru bmstu.ru mephi.ru itmo.ru nsu.ru tsu.ru tpu.ru urfu.ru kpfu.ru sfu-kras.ru sfedu.ru
  dvfu.ru unn.ru vsu.ru psu.ru samsu.ru sgu.ru ranepa.ru fa.ru rea.ru rudn.ru misis.ru mpei.ru spbstu.ru etu.ru guap.ru
  mgimo.ru mirea.ru ssau.ru susu.ru utmn.ru tversu.ru petrsu.ru csu.ru mai.ru bsu.by bsuir.by bntu.by knu.ua kpi.ua
  karazin.ua kaznu.kz enu.kz

  utoronto.ca ubc.ca mcgill.ca ualberta.ca umontreal.ca ulaval.ca uwaterloo.ca mcmaster.ca queensu.ca uwo.ca uottawa.ca
  ucalgary.ca dal.ca sfu.ca uvic.ca yorku.ca concordia.ca uqam.ca uquebec.ca uqtr.ca uqac.ca etsmtl.ca polymtl.ca
  hec.ca usherbrooke.ca carleton.ca torontomu.ca ryerson.ca uoguelph.ca umanitoba.ca uwinnipeg.ca usask.ca uregina.ca
  unb.ca mun.ca upei.ca stfx.ca acadiau.ca mta.ca smu.ca brocku.ca wlu.ca uwindsor.ca trentu.ca lakeheadu.ca
  laurentian.ca nipissingu.ca ontariotechu.ca uoit.ca ocadu.ca uleth.ca athabascau.ca macewan.ca mtroyal.ca unbc.ca
  tru.ca kpu.ca bcit.ca capilanou.ca langara.ca humber.ca senecacollege.ca senecapolytechnic.ca sheridancollege.ca
  georgebrown.ca centennialcollege.ca algonquincollege.com conestogac.on.ca fanshawec.ca mohawkcollege.ca nait.ca
  sait.ca dawsoncollege.qc.ca

  usp.br unicamp.br unesp.br ufrj.br ufmg.br ufrgs.br ufsc.br ufpr.br ufpe.br ufba.br ufc.br unb.br ufscar.br
  unifesp.br uff.br uerj.br uel.br uem.br ufg.br ufpa.br ufam.br ufrn.br ufpb.br ufes.br ufsm.br ufpel.br ufv.br ufu.br
  ufjf.br ufop.br ufla.br puc-rio.br pucsp.br pucrs.br fgv.br ita.br unam.mx ipn.mx itesm.mx tec.mx udg.mx uanl.mx
  ibero.mx itam.mx uam.mx colmex.mx cinvestav.mx buap.mx uaslp.mx ugto.mx uady.mx uba.ar uchile.cl puc.cl uc.cl
  usach.cl udec.cl pucv.cl usm.cl uach.cl utalca.cl ufro.cl uandes.cl uai.cl udp.cl pucp.pe
`);
