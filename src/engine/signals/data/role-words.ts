import { words } from './words.js';

/**
 * Local parts that name a function instead of a person: RFC 2142 and common usage, in the languages where such
 * addresses are most frequent. Excludes words that are also names of people (`alpha`, `chef`, `gardner`). A hyphen
 * marks an optional separator.
 */
export const ROLE_WORDS: readonly string[] = words(`
  abuse hostmaster host-master postmaster post-master webmaster web-master usenet news uucp ftp www noc security
  info marketing sales support

  admin admins administrator administration sys-admin sys-administrator system-administrator sysop root operator
  daemon mailer-daemon nobody mail mailer mail-master email smtp ssl dns domain-admin ssl-admin listserv
  majordomo mailman bounce bounces it-support it-helpdesk help-desk service-desk dev-ops dev developer developers
  engineering api dba backup monitoring alerts notification notifications prod production staging demo test tester
  testing user users guest

  no-reply no-replys do-not-reply do-not-respond no-respond auto-reply auto-responder nao-responda nao-responder
  no-responder ne-pas-repondre nicht-antworten keine-antwort

  contact contacts contact-us enquiries enquiry inquiries inquiry feedback help helpline hello customer customers
  customer-care customer-service customer-services customer-support client clients client-services service services
  care complaints member members membership subscribe unsubscribe subscriptions newsletter newsletters events event
  office front-desk reception receptionist secretary secretariat head-office hq team all-staff staff everyone
  billing invoice invoices invoicing payment payments payroll account accounts accounting accounts-payable
  accounts-receivable finance treasury purchasing procurement order orders returns refunds shipping logistics
  warehouse delivery dispatch shop store booking bookings reservation reservations

  hr human-resources job jobs career careers recruiting recruitment recruiter hiring talent training
  press media pr public-relations advertising ads affiliate affiliates partner partners partnerships sponsors
  investor-relations investors communications community editor editorial editors social-media
  legal compliance privacy copyright dmca gdpr dpo data-protection terms trademark

  management board council directors research education registrar admissions alumni library faculty

  kontakt anfrage anfragen bewerbung bewerbungen buchhaltung rechnung rechnungen verwaltung vertrieb verkauf
  einkauf datenschutz kundenservice kundendienst zentrale empfang sekretariat post poststelle gemeinde rathaus
  praxis kanzlei redaktion presse personal
  contacto contacte contabilidad facturacion facturas ventas soporte ayuda administracion recepcion pedidos
  reservas atencion-al-cliente recursos-humanos conserje empleo
  contato vendas suporte atendimento financeiro compras comercial cobranca faturamento boletins rh
  commercial comptabilite facturation achats accueil secretariat-general recrutement reclamations mairie
  contatti informazioni amministrazione vendite fatture fatturazione assistenza segreteria acquisti prenotazioni
  verkoop klantenservice administratie inkoop boekhouding
  biuro kontakty sekretariat-biura faktury sprzedaz
`);

/** Words that only specify a role: where, in what language, for whom. Beside a role word they keep it a role. */
export const ROLE_QUALIFIERS: readonly string[] = words(`
  eu us usa uk gb de at ch fr es it nl be se no dk fi ie pt br mx ar pl cz ru ua tr ro hu gr in cn jp kr sg hk au nz za
  ae il ca europe asia africa america americas emea apac latam mena anz dach benelux nordics
  en eng english deutsch german french spanish global international intl world worldwide national regional local
  north south east west central team teams dept department group desk office list alias mailbox inbox box hq center
  centre online web site website main general shared public internal external company corp corporate business b2b b2c
  new old the our your my
`);
