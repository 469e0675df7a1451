/** The pure rules of every check: calls per second, compared with the simplest equivalent. */
import { readFileSync } from 'node:fs';
import { parseAddress } from '../src/engine/address/parse-address.js';
import { suggestDomain } from '../src/engine/address/suggest-domain.js';
import { assess, type Knowledge } from '../src/engine/assess.js';
import type { Check } from '../src/engine/check.js';
import { suggestCorrection } from '../src/engine/address/suggest-correction.js';
import { loadSignalLists } from '../src/engine/signals/load-signal-lists.js';
import { NO_CURATED_LISTS } from '../src/engine/signals/static-curated-lists.js';
import { classifyReply } from '../src/engine/smtp/classify/classify-reply.js';
import { findProvider } from '../src/engine/smtp/providers/find-provider.js';
import { parseReplyLine } from '../src/engine/smtp/reply-line.js';
import type { Reply } from '../src/engine/smtp/reply.js';
import { toVerifyResult } from '../src/verify/to-verify-result.js';
import { editDistance } from './lib/edit-distance.js';
import { report, type Figure } from './lib/figure.js';
import { ADDRESSES, DOMAINS, POPULAR_DOMAINS, REPLIES } from './lib/inputs.js';
import { callsPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';

/** The rule of browsers (WHATWG HTML, `input type=email`). */
const HTML_EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;
const USUAL_PHRASES =
  /user unknown|unknown user|no such user|does not exist|mailbox not found|recipient rejected|quota|full|disabled|blocked|blacklist|spam|policy|denied|greylist|try again/i;

const lists = loadSignalLists();
const knowledge: Knowledge = { lists, curated: NO_CURATED_LISTS, findProvider, suggestCorrection };
const disposable = new Set(
  JSON.parse(readFileSync(require.resolve('disposable-domains/index.json'), 'utf8')) as string[],
);
const replies: readonly Reply[] = REPLIES.map((text) => {
  const line = parseReplyLine(text);
  if (line === null) throw new Error('not a reply');
  return { code: line.code, enhanced: line.enhanced, lines: [line.text], mixed: false };
});
const checks: readonly Check[] = ADDRESSES.map((text, index) => checkOf(text, replies[index % replies.length]));

const duels: readonly {
  readonly what: string;
  readonly than: string;
  readonly ours: () => number;
  readonly theirs: () => number;
}[] = [
  {
    what: 'parse an address',
    than: "the browser's regular expression",
    ours: () => callsPerSecond(ADDRESSES, parseAddress),
    theirs: () => callsPerSecond(ADDRESSES, (text) => HTML_EMAIL.test(text)),
  },
  {
    what: 'classify a refusal',
    than: 'one search for the usual phrases',
    ours: () => callsPerSecond(replies, classify),
    theirs: () => callsPerSecond(replies, ({ lines }) => USUAL_PHRASES.test(lines[0] ?? '')),
  },
  {
    what: 'look a domain up in all lists',
    than: 'one Set of disposable domains',
    ours: () => callsPerSecond(DOMAINS, lookUp),
    theirs: () => callsPerSecond(DOMAINS, (domain) => disposable.has(domain)),
  },
  {
    what: 'suggest a domain',
    than: `edit distance to ${POPULAR_DOMAINS.length} domains`,
    ours: () => callsPerSecond(DOMAINS, suggestDomain),
    theirs: () => callsPerSecond(DOMAINS, nearestPopular),
  },
  {
    what: 'judge a finished check',
    than: 'JSON.stringify of its result',
    ours: () => callsPerSecond(checks, (check) => assess(check, knowledge)),
    theirs: () => callsPerSecond(results, (result) => JSON.stringify(result)),
  },
];
const results = checks.map((check) => toVerifyResult(assess(check, knowledge), 'fresh'));

async function main(): Promise<void> {
  const figures: Figure[] = [];
  for (const { what, than, ours, theirs } of duels) {
    const rates = await inTurns({ theirs, ours }, 9);
    figures.push({ what, unit: '/s', rounds: rates.ours, baseline: { what: than, rounds: rates.theirs } });
  }
  report(figures);
}

function classify(reply: Reply): unknown {
  return classifyReply(reply, {
    stage: 'rcpt',
    recipient: 'ada@company.example',
    ownNames: ['verify.example.org', 'verify@verify.example.org', '192.0.2.7'],
    provider: null,
  });
}

function lookUp(domain: string): boolean {
  const hosts = [`mx1.${domain}`, `mx2.${domain}`];
  const throwAway = lists.isDisposableDomain(domain) || lists.isDisposableMailHost(hosts);
  return throwAway || lists.isFreemail(domain) === true || lists.relayProvider(domain, hosts) !== null;
}

function nearestPopular(domain: string): string | null {
  let [nearest, least]: [string | null, number] = [null, 3];
  for (const popular of POPULAR_DOMAINS) {
    const distance = editDistance(domain, popular);
    if (distance < least) [nearest, least] = [popular, distance];
  }
  return least === 0 ? null : nearest;
}

/** A completed check with that reply of a mail host. */
function checkOf(text: string, reply: Reply | undefined): Check {
  const parsed = parseAddress(text);
  const domain = parsed.ok ? parsed.address.domain : '';
  const said =
    reply === undefined ? null : classifyReply(reply, { stage: 'rcpt', recipient: text, ownNames: [], provider: null });
  return {
    parsed,
    mode: 'enhanced',
    deferred: false,
    checkedAt: new Date(),
    facts: {
      mailHosts: parsed.ok
        ? { kind: 'found', primary: `mx1.${domain}`, exchanges: [`mx1.${domain}`, `mx2.${domain}`] }
        : null,
      probe:
        !parsed.ok || said === null || reply === undefined
          ? null
          : {
              stage: 'rcpt',
              ending: 'reply',
              code: reply.code,
              enhanced: reply.enhanced,
              ...said,
              random: 'refused',
              host: `mx1.${domain}`,
              egress: 'direct',
            },
    },
  };
}

void main();
