import { randomBytes } from 'node:crypto';
import type { MailProvider } from '../../../engine/smtp/provider.js';
import { dkimFact } from '../../records/dkim-finding.js';
import { orderSelectors, selectorName } from '../../records/dkim-selectors.js';
import type { Texts } from '../../records/texts.js';
import type { Inquirer } from '../subject.js';

/** The likeliest ones, asked for with a random name beside them: if all three are answered alike, so are all names. */
const FIRST = 2;
/** So many selectors are asked for side by side after that: one key is enough. */
const AT_ONCE = 10;
/** A domain whose servers leave so many questions open is not asked the other eighty. */
const MAX_FAILURES = 3;
/** A selector holds one record, and two while its key changes hands. What a hostile zone puts there beside is not read. */
const MAX_TEXTS = 2;
/** Nor is such a zone, which answers every question with heaps of them, asked on. */
const MAX_TEXTS_IN_ALL = 1000;

/**
 * In rounds that stop at the first key. Null where not all selectors were asked for, by failures or because the zone answers
 * for any name.
 * @param findProvider the provider of a mail host: it often signs the domain's mail too
 */
export function dkim(findProvider: (mailHost: string) => Pick<MailProvider, 'id'> | null): Inquirer<'dkim'> {
  return async ({ domain, questions, mail }) => {
    const { mx, names } = await mail();
    // Nothing exists below a name that does not (RFC 8020).
    if (mx.kind === 'nxdomain') return { dkim: false };
    const textsAt = (selector: string): Promise<Texts> => questions.texts(selectorName(selector, domain));
    const random = randomBytes(8).toString('hex');
    const selectors = orderSelectors((names ?? []).flatMap((host) => findProvider(host)?.id ?? []));
    const [wildcard = null, ...first] = await Promise.all([random, ...selectors.slice(0, FIRST)].map(textsAt));
    if (wildcard === null) return { dkim: null };
    if (wildcard.length > 0 && first.every((texts) => isAlike(texts, wildcard))) return { dkim: null };
    if (wildcard.length === 0) {
      // A name that nobody chose, and is there all the same: a wildcard stands for every selector.
      const other = await questions.ask(selectorName(random, domain), mx.kind === 'records' ? 'MX' : 'A');
      if (other.kind === 'records') return { dkim: null };
    }
    let found = first;
    let failures = 0;
    let texts = wildcard.length;
    for (let next = FIRST; ; next += AT_ONCE) {
      if (dkimFact({ wildcard, selectors: found.map(bounded) }) === true) return { dkim: true };
      failures += found.filter((each) => each === null).length;
      texts += found.reduce((sum, each) => sum + (each?.length ?? 0), 0);
      // Not all were asked for, so that nothing can be said; asking again would not help.
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
