/**
 * Targets of unused domains: companies that show ads or a price on them. Names include all below. Sources: the
 * operators' own instructions, their announced routes, and the public warning lists of MISP (2022). Addresses go stale,
 * so a single one only counts together with another signal.
 *
 * Deliberately left out: name servers of brand-protection registrars (their customers are the largest companies), and
 * addresses of CDNs, which host everybody.
 */

/** Name servers that serve only parked domains. */
export const PARKING_NAME_SERVERS: readonly string[] = [
  'above.com', // Above, Trellian
  'afternic.com', // Afternic, GoDaddy
  'bodis.com',
  'brandbucket.com',
  'cashparking.com', // GoDaddy
  'dan.com',
  'day.biz',
  'domainmarket.com',
  'dsredirection.com', // DomainSponsor
  'dsredirects.com',
  'eftydns.com', // Efty
  'namedrive.com',
  'parking1.ovh.net',
  'parking2.ovh.net',
  'parkingcrew.net', // Team Internet
  'parklogic.com',
  'rookdns.com', // RookMedia
  'sedo.com',
  'sedoparking.com',
  'undeveloped.com', // DAN, formerly
  'uniregistrymarket.link',
  'voodoo.com',
  'ztomy.com', // Confluence
];

/** Registrars' defaults until the owner sets others: many such domains are parked, many are not. */
export const IDLE_NAME_SERVERS: readonly string[] = ['bookmyname.com', 'dnsowl.com', 'freenom.com', 'gname.net'];

/** Networks of companies that only park domains. */
export const PARKING_NETWORKS: readonly string[] = [
  '64.190.62.0/23', // Sedo
  '91.195.240.0/23', // Sedo
  '185.53.176.0/22', // Team Internet
  '199.59.240.0/22', // Bodis
  '103.224.182.0/23', // Trellian
  '103.224.212.0/23', // Trellian
  '204.11.56.0/23', // Confluence
  '208.91.196.0/23', // Confluence
  '209.99.64.0/24', // Confluence
  '199.191.50.0/24', // Confluence
  '192.64.147.0/24', // DomainSponsor
];

/** Cloud and hosting addresses that have shown parking pages, and ranges that also host other sites. */
export const PARKING_ADDRESSES: readonly string[] = [
  '3.64.163.50',
  '13.248.216.40',
  '34.98.99.30',
  '34.102.136.180', // GoDaddy, its site builder too
  '34.102.221.37',
  '35.186.238.101',
  '52.58.78.16',
  '52.128.23.153',
  '66.81.199.0/24', // Network Solutions
  '75.2.18.233',
  '75.2.26.18',
  '75.2.115.196',
  '76.223.65.111',
  '99.83.154.118',
  '141.8.224.195',
  '198.54.117.192/26', // Namecheap: parking and forwarding
  '207.148.248.143',
  '207.148.248.145',
  '217.70.184.38', // Gandi
  '217.70.184.50', // Gandi
  '62.149.128.40', // Aruba
  '213.171.195.105', // Fasthosts
  '37.97.254.27', // TransIP
  '46.30.211.38', // one.com
  '194.58.112.165', // REG.RU
  '194.58.112.174', // REG.RU
  '31.31.205.163', // REG.RU
];

/** Mail hosts of parking companies. */
export const PARKING_MAIL_HOSTS: readonly string[] = ['park-mx.above.com', 'parklogic.com'];

/** Mail hosts that accept all mail for typosquatting domains. */
export const SQUATTER_MAIL_HOSTS: readonly string[] = ['h-email.net', 'mxproc.com'];
