import { parse as parseHost } from 'tldts';
import { ACCESS_PROVIDER_DOMAINS } from '../signals/data/access-provider-domains.js';
import { DISPOSABLE_MAIL_HOSTS } from '../signals/data/disposable-mail-hosts.js';
import { FREEMAIL_DOMAINS } from '../signals/data/freemail-domains.js';
import { RELAY_SERVICES } from '../signals/data/relay-services.js';
import { listedName } from '../signals/listed-name.js';
import { nearestBrandDomain } from './brand-slip.js';
import { labelFault } from './domain-name.js';
import { KNOWN_SLIPS, MAIL_BRANDS, NEIGHBOURS } from './data/mail-brands.js';
import { repairTopLevelDomain } from './repair-top-level-domain.js';

/** Longest domain compared. */
const MAX_LENGTH = 253;

/** Providers and their neighbours. They and their subdomains are never corrected. */
const protectedDomains = new Set([
  ...MAIL_BRANDS.flatMap((brand) => brand.suffixes.map((suffix) => `${brand.name}.${suffix}`)),
  ...FREEMAIL_DOMAINS,
  ...ACCESS_PROVIDER_DOMAINS,
  ...RELAY_SERVICES.flatMap((service) => service.domains),
  ...DISPOSABLE_MAIL_HOSTS,
  ...NEIGHBOURS,
]);
const knownSlips = new Map(Object.entries(KNOWN_SLIPS));

/**
 * Suggests the domain that `domain` misspells, or null if nothing looks mistyped. Takes what people type: `yahoo`,
 * `gmailcom`, `gmail,com`; ignores case and surrounding space.
 * Compares spelling only: the mistyped domain may exist, with a squatter's mail hosts. Pure. A known domain costs two
 * look-ups, any other a few microseconds.
 */
export function suggestDomain(domain: string): string | null {
  const typed = domain.trim().toLowerCase();
  if (typed.length > MAX_LENGTH) return null;
  const name = typed.replaceAll(/[\s,;:/\\.]+/g, '.').replaceAll(/^\.|\.$/g, '');

  const known = listedName(protectedDomains, name);
  // A provider's subdomain that somebody typed with other signs is no host we know.
  if (known !== null) return name === `www.${known}` || (name === known && name !== typed) ? known : null;
  const slip = knownSlips.get(name);
  if (slip !== undefined) return slip;

  const plain = withoutAccents(name);
  if (plain === null) return null;
  if (plain !== name) return protectedDomains.has(plain) ? plain : null;

  const host = parseHost(name, { validateHostname: false, extractHostname: false });
  const brandDomain = nearestBrandDomain(name, host.isIcann ? host.publicSuffix : null);
  if (brandDomain !== null || host.isIcann) return brandDomain;
  const repaired = repairTopLevelDomain(name);
  if (repaired === null || labelFault(repaired, 0) !== null) return null;
  return suggestDomain(repaired) ?? repaired;
}

/** The name without accents, if that makes it ASCII; null for other scripts. */
function withoutAccents(name: string): string | null {
  // oxlint-disable-next-line no-control-regex
  const ascii = /^[\u0000-\u007f]*$/;
  if (ascii.test(name)) return name;
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i');
  return ascii.test(plain) ? plain : null;
}
