import { randomBytes } from 'node:crypto';
import type { MailProvider } from '../../../engine/smtp/provider.js';
import { dkimFact } from '../../records/dkim-finding.js';
import { orderSelectors, selectorName } from '../../records/dkim-selectors.js';
import type { Texts } from '../../records/texts.js';
import type { Inquirer } from '../subject.js';

/** So many selectors are asked for side by side: the likeliest come first, and one key is enough. */
const AT_ONCE = 10;
/** A domain whose servers leave so many questions open is not asked the other eighty. */
const MAX_FAILURES = 3;
/** A selector holds one record, and two while its key changes hands. What a hostile zone puts there beside is not read. */
const MAX_TEXTS = 2;
/** Nor is such a zone, which answers every question with heaps of them, asked on. */
const MAX_TEXTS_IN_ALL = 1000;

/** @param findProvider the operator of a mail host: it often signs the domain's mail too */
export function dkim(findProvider: (mailHost: string) => Pick<MailProvider, 'id'> | null): Inquirer<'dkim'> {
  return async ({ domain, questions, mail }) => {
    const { mx, names } = await mail();
    // Nothing exists below a name that does not (RFC 8020).
    if (mx.kind === 'nxdomain') return { dkim: false };
    const wildcard = await questions.texts(selectorName(randomBytes(8).toString('hex'), domain));
    if (wildcard === null) return { dkim: null };
    const selectors = orderSelectors((names ?? []).flatMap((host) => findProvider(host)?.id ?? []));
    let failures = 0;
    let texts = wildcard.length;
    for (let from = 0; from < selectors.length && failures < MAX_FAILURES; from += AT_ONCE) {
      const found = await Promise.all(
        selectors.slice(from, from + AT_ONCE).map((selector) => questions.texts(selectorName(selector, domain))),
      );
      if (dkimFact({ wildcard, selectors: found.map(bounded) }) === true) return { dkim: true };
      failures += found.filter((each) => each === null).length;
      texts += found.reduce((sum, each) => sum + (each?.length ?? 0), 0);
      // Not all were asked for, so that nothing can be said; asking again would not help.
      if (texts > MAX_TEXTS_IN_ALL) return { dkim: null };
    }
    return { dkim: failures > 0 ? null : false };
  };
}

function bounded(texts: Texts): Texts {
  return texts === null ? null : texts.slice(0, MAX_TEXTS);
}
