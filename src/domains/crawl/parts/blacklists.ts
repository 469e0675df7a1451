import { countListings } from '../../records/blacklist-answer.js';
import type { DnsBlacklists, ListReadings } from '../dns-blacklists.js';
import type { PartCrawler } from '../part-crawler.js';
import { registrableDomain } from './texts.js';

/** Maximum mail-host addresses to look up on lists. */
const MAX_ADDRESSES = 10;

export function blacklists(lists: Pick<DnsBlacklists, 'none' | 'query'>): PartCrawler<'blacklists'> {
  return async ({ domain, queries, mail }) => {
    if (lists.none) return { blacklists: null, mailHostListed: null };
    const { hasHost, hosts } = await mail();
    // Without the mail hosts the count would be too low.
    if (hasHost === null) return { blacklists: null, mailHostListed: null };
    const addresses = [...new Set(hosts.flatMap((host) => host.addresses))].slice(0, MAX_ADDRESSES);
    const answers = await lists.query({ addresses, domain: registrableDomain(domain) }, queries);
    const count = countListings(answers.map(({ readings }) => readings));
    const wereAsked = answers.some(({ readings }) => readings.length > 0);
    if (count === null && wereAsked) queries.note('theirs');
    return { blacklists: count, mailHostListed: isMailHostListed(answers) };
  };
}

/** null: no address list gave an answer. */
function isMailHostListed(answers: readonly ListReadings[]): boolean | null {
  const said = new Set(answers.flatMap(({ list, readings }) => (list.lists === 'ip' ? readings : [])));
  if (said.has('listed')) return true;
  return said.has('not_listed') ? false : null;
}
