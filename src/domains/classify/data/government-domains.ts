import { words } from '../../../engine/signals/data/words.js';

/**
 * Labels right below a country's top-level domain that are reserved for its government, with the countries that use
 * them.
 */
export const GOVERNMENT_LABELS: Readonly<Record<string, readonly string[]>> = {
  gob: ['ar', 'bo', 'cl', 'cu', 'do', 'ec', 'es', 'gt', 'hn', 'mx', 'ni', 'pa', 'pe', 'pk', 'sv', 've'],
  gouv: words('bf bi bj cd cg ci cm dj fr ga gn ht km mc mg ml ne rw sn td tg'),
  go: ['ci', 'cr', 'id', 'jp', 'ke', 'kr', 'th', 'tz', 'ug'],
  govt: ['nz'],
  gub: ['uy'],
  gv: ['ao', 'at'],
  gc: ['ca'],
  dep: ['no'],
  fed: ['us'],
  lg: ['jp'],
  parliament: ['nz', 'uk'],
  police: ['uk'],
  mod: ['uk'],
};

/** Names of governments, parliaments and authorities outside reserved suffixes; each includes the names below it. */
export const GOVERNMENT_DOMAINS: readonly string[] = words(`
  europa.eu gov.scot gov.wales gov.bc.ca gov.ab.ca gov.mb.ca gov.nl.ca gov.nt.ca gov.nu.ca gov.pe.ca gov.sk.ca
  gov.yk.ca gouv.qc.ca canada.ca ontario.ca nic.in admin.ch bund.de bundestag.de bundeswehr.org bundesbank.de bka.de
  assemblee-nationale.fr senat.fr elysee.fr fgov.be belgium.be vlaanderen.be etat.lu public.lu rijksoverheid.nl
  belastingdienst.nl tweedekamer.nl regeringskansliet.se riksdagen.se polisen.se skatteverket.se regjeringen.no
  stortinget.no politiet.no politi.dk ft.dk eduskunta.fi poliisi.fi parlamento.pt congreso.es senado.es
  juntadeandalucia.es gencat.cat euskadi.eus xunta.gal camera.it senato.it giustizia.it poliziadistato.it
  oireachtas.ie sejm.pl
`);
