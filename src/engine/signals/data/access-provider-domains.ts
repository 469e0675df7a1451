import { words } from './words.js';

/**
 * Domains of access providers (telephone, cable, mobile) with customers' mailboxes, by country. A-labels, lowercase; a
 * subdomain belongs to its parent (`hawaii.rr.com`). They count as freemail: the mailbox is private and names no
 * employer.
 */
export const ACCESS_PROVIDER_DOMAINS: readonly string[] = words(`
  comcast.net xfinity.com verizon.net att.net sbcglobal.net bellsouth.net pacbell.net ameritech.net swbell.net snet.net
  nvbell.net prodigy.net flash.net currently.com cox.net charter.net rr.com roadrunner.com twc.com brighthouse.com
  bright.net earthlink.net mindspring.com netcom.com pipeline.com peoplepc.com netzero.net netzero.com optonline.net
  optimum.net windstream.net frontier.com frontiernet.net centurylink.net centurytel.net embarqmail.com qwest.net q.com
  suddenlink.net mediacombb.net mchsi.com cableone.net wowway.com knology.net tds.net rcn.com ptd.net fuse.net
  zoomtown.com zoominternet.net insightbb.com hughes.net wildblue.net adelphia.net attbi.com bellatlantic.net gte.net
  alltel.net sprynet.com sprintmail.com erols.com concentric.net metrocast.net midco.net atlanticbb.net consolidated.net
  hawaiiantel.net gci.net alaska.net toast.net localnet.com netins.net usfamily.net idirect.com seanet.com enter.net
  interaccess.com charm.net airmail.net speakeasy.net cavtel.net ix.netcom.com vzw.com blackberry.net tmo.blackberry.net

  bell.net sympatico.ca rogers.com shaw.ca telus.net videotron.ca videotron.qc.ca cogeco.ca cogeco.net eastlink.ca
  mts.net sasktel.net primus.ca tbaytel.net execulink.com teksavvy.com xplornet.com xplornet.ca bellaliant.net vianet.ca

  btinternet.com bt.com btopenworld.com btconnect.com talk21.com virginmedia.com virgin.net ntlworld.com
  blueyonder.co.uk sky.com talktalk.net talktalk.co.uk tiscali.co.uk tesco.net plus.com plus.net freeserve.co.uk
  fsmail.net orange.net wanadoo.co.uk o2.co.uk onetel.com madasafish.com demon.co.uk lineone.net supanet.com
  ukonline.co.uk zen.co.uk freeuk.com pipex.com waitrose.com uwclub.net manx.net eircom.net iol.ie indigo.ie
  oceanfree.net

  t-online.de magenta.de vodafone.de alice.de alice-dsl.net o2online.de kabelmail.de unitybox.de netcologne.de ewe.net
  ewetel.net osnanet.de versanet.de kielnet.net mnet-online.de htp-tel.de aon.at a1.net chello.at inode.at utanet.at
  kabsi.at liwest.at bluewin.ch hispeed.ch sunrise.ch swissonline.ch

  orange.fr wanadoo.fr free.fr sfr.fr neuf.fr bbox.fr club-internet.fr cegetel.net 9online.fr numericable.fr noos.fr
  aliceadsl.fr libertysurf.fr dbmail.com telenet.be skynet.be proximus.be scarlet.be pandora.be voo.be belgacom.net
  brutele.be tvcablenet.be ziggo.nl home.nl kpnmail.nl kpnplanet.nl planet.nl hetnet.nl xs4all.nl upcmail.nl chello.nl
  casema.nl zonnet.nl tele2.nl online.nl telfort.nl quicknet.nl wxs.nl solcon.nl caiway.nl zeelandnet.nl

  telia.com comhem.se bredband.net bredband2.com tele2.se glocalnet.net home.se swipnet.se online.no broadpark.no
  frisurf.no c2i.net getmail.no lyse.net mail.dk tdcadsl.dk stofanet.dk tele.dk webspeed.dk saunalahti.fi elisanet.fi
  kolumbus.fi welho.com dnainternet.net sci.fi inet.fi

  tiscali.it tiscalinet.it alice.it tin.it tim.it fastwebnet.it vodafone.it teletu.it infinito.it telefonica.net ono.com
  wanadoo.es ya.com jazztel.es euskalnet.net mundo-r.com telecable.es netcabo.pt clix.pt telepac.pt netvisao.pt meo.pt
  otenet.gr forthnet.gr hol.gr cosmotemail.gr neostrada.pl ttnet.net.tr superonline.com bezeqint.net netvision.net.il
  012.net.il zahav.net.il

  bigpond.com bigpond.net.au bigpond.com.au telstra.com optusnet.com.au iinet.net.au westnet.com.au on.net
  adam.com.au tpg.com.au dodo.com.au ozemail.com.au netspace.net.au iprimus.com.au aapt.net.au ihug.com.au exemail.com.au
  xtra.co.nz slingshot.co.nz clear.net.nz paradise.net.nz ihug.co.nz orcon.net.nz vodafone.co.nz actrix.co.nz

  netvigator.com singnet.com.sg starhub.net.sg pacific.net.sg streamyx.com tm.net.my hinet.net seed.net.tw nifty.com
  biglobe.ne.jp ocn.ne.jp so-net.ne.jp plala.or.jp dion.ne.jp asahi-net.or.jp infoweb.ne.jp docomo.ne.jp ezweb.ne.jp
  au.com softbank.ne.jp softbank.jp hi-ho.ne.jp vodafone.ne.jp ybb.ne.jp vsnl.net vsnl.com sancharnet.in bsnl.in
  dataone.in telkomsa.net mweb.co.za iafrica.com

  prodigy.net.mx arnet.com.ar speedy.com.ar fibertel.com.ar adinet.com.uy vtr.net cantv.net etb.net.co une.net.co
  brturbo.com.br onda.com.br veloxmail.com.br
`);
