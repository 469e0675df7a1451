import { words } from './words.js';

/** A service that forwards mail to a mailbox the sender does not see. */
export interface RelayService {
  readonly name: string;
  /** Domains of its aliases. */
  readonly domains: readonly string[];
  /** True if users get their own subdomains of those domains. */
  readonly subdomains?: true;
  /** Its mail hosts, to which customers point their own domains. */
  readonly mailHosts?: readonly string[];
  /** True if its aliases expire: then it is both a relay and disposable. */
  readonly expiring?: true;
}

/**
 * Relay, forwarding and alias-masking services. Excludes those indistinguishable by domain or mail host: Apple's Hide
 * My Email under `icloud.com`, Fastmail's masked addresses. Excludes apex domains with real mailboxes (`startmail.com`,
 * `proton.me`), except those of the alias services themselves, where nobody else has a mailbox.
 */
export const RELAY_SERVICES: readonly RelayService[] = [
  { name: 'Apple Private Relay', domains: ['privaterelay.appleid.com'] },
  { name: 'DuckDuckGo Email Protection', domains: ['duck.com'] },
  { name: 'Firefox Relay', domains: ['mozmail.com'], subdomains: true },
  { name: 'Firefox Relay', domains: ['relay.firefox.com'] },
  {
    name: 'SimpleLogin',
    domains: words(`
      simplelogin.com simplelogin.co simplelogin.fr simplelogin.io 8alias.com 8shield.net aleeas.com dralias.com
      silomails.com slmail.me slmails.com
    `),
    subdomains: true,
    mailHosts: ['simplelogin.co'],
  },
  { name: 'Proton Pass', domains: ['passmail.net', 'passmail.com', 'passinbox.com', 'passfwd.com'] },
  {
    name: 'addy.io',
    domains: ['addy.io', 'addymail.com', 'anonaddy.com', 'anonaddy.me', '4wrd.cc', 'mailer.me', 'addy.biz', 'addy.to'],
    subdomains: true,
    mailHosts: ['anonaddy.me', 'anonaddy.com'],
  },
  { name: '33Mail', domains: ['33mail.com'], subdomains: true },
  { name: 'StartMail alias', domains: ['use.startmail.com'] },
  { name: 'Burner Mail', domains: ['burnermail.io', 'nicoric.com'] },
  { name: 'Cloaked', domains: ['cloaked.id', 'clkdmail.com', 'myclkd.email', 'mycloaked.id'] },
  { name: 'AliasVault', domains: ['aliasvault.net'] },
  { name: 'IronVest', domains: ['opayq.com'] },
  { name: 'MySudo', domains: ['sudomail.com'] },
  { name: 'ManyMe', domains: ['manyme.com'] },
  { name: 'E4ward', domains: ['e4ward.com'] },
  { name: 'Sneakemail', domains: ['sneakemail.com'] },
  { name: 'Spamgourmet', domains: ['spamgourmet.com', 'spamgourmet.net', 'spamgourmet.org'], subdomains: true },
  { name: 'erine.email', domains: ['erine.email'], subdomains: true },
  { name: 'Jetable', domains: ['jetable.org'], expiring: true },
  { name: 'TrashMail', domains: ['trashmail.com'], expiring: true },
  { name: 'Cloudflare Email Routing', domains: [], mailHosts: ['mx.cloudflare.net'] },
  { name: 'ImprovMX', domains: [], mailHosts: ['improvmx.com'] },
  { name: 'Forward Email', domains: [], mailHosts: ['forwardemail.net'] },
  { name: 'Namecheap Email Forwarding', domains: [], mailHosts: ['registrar-servers.com'] },
  { name: 'Porkbun Email Forwarding', domains: [], mailHosts: ['fwd1.porkbun.com', 'fwd2.porkbun.com'] },
];
