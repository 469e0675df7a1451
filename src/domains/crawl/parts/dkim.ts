import { randomBytes } from 'node:crypto';
import type { MailProvider } from '../../../engine/smtp/provider.js';
import { dkimFact } from '../../records/dkim-finding.js';
import { orderSelectors, selectorName } from '../../records/dkim-selectors.js';
import type { Texts } from '../../records/texts.js';
import type { PartCrawler } from '../part-crawler.js';

/**
 * The likeliest selectors are queried with a random name: if all answers are equal, a wildcard answers for every name.
 */
const FIRST = 2;
/** Selectors queried at once after that: one key is enough. */
const AT_ONCE = 10;
/** Failed queries after which the domain's other eighty selectors are skipped. */
const MAX_FAILURES = 3;
/** A selector holds one record, or two during a key rollover. More come from a hostile zone and are not read. */
const MAX_TEXTS = 2;
/** Total texts after which to stop querying a zone that returns masses of records. */
const MAX_TEXTS_IN_ALL = 1000;

/**
 * Queries selectors in batches until the first key. Null if not all were queried, because of failures or because the
 * zone answers for any name.
 * @param findProvider returns a mail host's provider, which often signs the domain's mail too
 */
export function dkim(findProvider: (mailHost: string) => Pick<MailProvider, 'id'> | null): PartCrawler<'dkim'> {
  return async ({ domain, queries, mail }) => {
    const { mx, names } = await mail();
    // Nothing exists below a name that does not exist (RFC 8020).
    if (mx.kind === 'nxdomain') return { dkim: false };
    const textsAt = (selector: string): Promise<Texts> => queries.texts(selectorName(selector, domain));
    const random = randomBytes(8).toString('hex');
    const selectors = orderSelectors((names ?? []).flatMap((host) => findProvider(host)?.id ?? []));
    const [wildcard = null, ...first] = await Promise.all([random, ...selectors.slice(0, FIRST)].map(textsAt));
    if (wildcard === null) return { dkim: null };
    if (wildcard.length > 0 && first.every((texts) => isAlike(texts, wildcard))) return { dkim: null };
    if (wildcard.length === 0) {
      // A random name exists: a wildcard answers for every selector.
      const other = await queries.query(selectorName(random, domain), mx.kind === 'records' ? 'MX' : 'A');
      if (other.kind === 'records') return { dkim: null };
    }
    let found = first;
    let failures = 0;
    let texts = wildcard.length;
    for (let next = FIRST; ; next += AT_ONCE) {
      if (dkimFact({ wildcard, selectors: found.map(bounded) }) === true) return { dkim: true };
      failures += found.filter((each) => each === null).length;
      texts += found.reduce((sum, each) => sum + (each?.length ?? 0), 0);
      // Unknown, since not all selectors were queried; a retry would not help.
      if (texts > MAX_TEXTS_IN_ALL) return { dkim: null };
      if (next >= selectors.length || failures >= MAX_FAILURES) return { dkim: failures > 0 ? null : false };
      found = await Promise.all(selectors.slice(next, next + AT_ONCE).map(textsAt));
    }
  };
}

function isAlike(texts: Texts, others: readonly string[]): boolean {
  return texts !== null && texts.length === others.length && texts.every((text) => others.includes(text));
}

function bounded(texts: Texts): Texts {
  return texts === null ? null : texts.slice(0, MAX_TEXTS);
}
