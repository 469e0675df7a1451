import { checkFacts, probeFacts } from '../../../test/factories/check-facts.js';
import { nothingKnownOf, type DomainFacts } from '../../domains/domain-facts.js';
import { toDomainRecord } from '../../domains/store/domain-record.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import type { Knowledge } from '../../engine/assess.js';
import type { Check } from '../../engine/check.js';
import { NOTHING_KNOWN } from '../../engine/domain-knowledge.js';
import { NO_CURATED_LISTS, NOTHING_LISTED, StaticCuratedLists } from '../../engine/signals/static-curated-lists.js';
import { DO_NOT_PROBE, silent } from '../../engine/smtp/judge-recipient.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import { findProvider } from '../../engine/smtp/providers/find-provider.js';
import { StaticSignalLists } from '../../engine/signals/static-signal-lists.js';
import type { Mode } from '../../engine/verdict/result.js';
import { judge, judgeCached } from './judge.js';
import type { VerifyResult } from '../verify.response.js';

const knowledge: Knowledge = {
  lists: new StaticSignalLists(new Set(['throw-away.test'])),
  curated: NO_CURATED_LISTS,
  findProvider: () => null,
  suggestCorrection: () => null,
};
const own: DomainFacts = {
  ...nothingKnownOf('example.com'),
  mx: true,
  spf: true,
  dmarc: true,
  dmarcPolicy: 'reject',
  blacklists: 1,
  mailHostListed: true,
  nameServers: ['ns1.example.net'],
  addresses: ['198.51.100.7'],
  mailHosts: ['mx.example.com'],
};
const PARKED = { nameServers: ['ns1.sedoparking.com'] };

interface Given {
  readonly email?: string;
  readonly mode?: Mode;
  readonly facts?: Partial<DomainFacts> | null;
  readonly curated?: Knowledge['curated'];
}

function checkOf({ email = 'ann@example.com', mode = 'standard' }: Given): Check {
  const probe = mode === 'quick' ? null : probeFacts();
  return { parsed: parseAddress(email), mode, deferred: false, facts: checkFacts(probe), checkedAt: new Date(0) };
}

function resultOf(given: Given): VerifyResult {
  const { facts = {}, curated = NO_CURATED_LISTS } = given;
  const crawled = facts === null ? null : toDomainRecord({ ...own, ...facts }, knowledge);
  return judge(checkOf(given), { ...knowledge, curated }, { catchAll: false, crawled }, 'fresh').result;
}

describe('the domain object of a result', () => {
  it('is null until the domain was crawled', () => {
    const unknown = { domain: null, free_email: null, parked: false, spam_trap: false, score: 0.95 };
    expect(resultOf({ facts: null })).toMatchObject(unknown);
    expect(judge(checkOf({}), knowledge, NOTHING_KNOWN, 'fresh').result).toMatchObject(unknown);
  });

  it("has the crawled facts, in quick mode too, with the contract's keys in order", () => {
    for (const mode of ['quick', 'standard'] as const) {
      const { domain } = resultOf({ mode });
      expect(domain).toMatchObject({ name: 'example.com', types: ['company'], spf: true, dkim: null, blocked: false });
    }
    const keys = Object.keys(resultOf({}));
    expect(keys.slice(keys.indexOf('checked_at'))).toEqual(['checked_at', 'domain', 'decision', 'degraded']);
  });

  it('is the same for a cached check', () => {
    const facts = checkFacts();
    const times = { checkedAt: new Date(0), expiresAt: new Date(1) };
    const cached = { hash: '', domain: 'example.com', facts, depth: 'standard', engineVersion: 1, ...times } as const;
    const asked = { parsed: parseAddress('ann@example.com'), mode: 'standard' } as const;
    const known = { catchAll: false, crawled: toDomainRecord(own, knowledge) };
    const { result } = judgeCached(cached, asked, knowledge, known, 'cached_recent');
    expect(result).toEqual({ ...resultOf({}), freshness: 'cached_recent' });
  });

  it('shows today’s blocklist', () => {
    const curated = new StaticCuratedLists({ ...NOTHING_LISTED, blocked: new Map([['example.com', 'phishing']]) });
    const blocked = { blocked: true, blocked_label: 'phishing', score: 0 };
    expect(resultOf({ curated })).toMatchObject({ result: 'invalid', score: 0, domain: blocked });
  });

  it('is null for a text that is no address', () => {
    expect(resultOf({ email: 'nobody', facts: null }).domain).toBeNull();
  });
});

it('uses the mail host that accepted if the best one did not answer', () => {
  const acceptedBy = (host: string): VerifyResult => {
    const facts = checkFacts(probeFacts({ host }), {
      kind: 'found',
      primary: 'mx.example.com',
      exchanges: ['mx.example.com', 'eu-smtp-inbound-1.mimecast.com'],
    });
    return judge({ ...checkOf({}), facts }, { ...knowledge, findProvider }, NOTHING_KNOWN, 'fresh').result;
  };
  expect(acceptedBy('mx.example.com')).toMatchObject({ result: 'valid', deliverable: true, catch_all: false });
  expect(acceptedBy('eu-smtp-inbound-1.mimecast.com')).toMatchObject({
    result: 'catch_all',
    reason: 'accept_all_provider',
    deliverable: null,
    catch_all: true,
  });
});

it('names a diagnosis in enhanced mode only', () => {
  const diagnosisIn = (mode: Mode) => resultOf({ mode }).smtp_diagnosis;
  expect([diagnosisIn('quick'), diagnosisIn('standard'), diagnosisIn('enhanced')]).toEqual([null, null, 'accepted']);
});

it('names a refusal of us for a mail host that is left alone since, and nothing for one that wants no probes', () => {
  const diagnosisOf = (leftAlone: Partial<ProbeFacts>) => {
    const facts = checkFacts(probeFacts({ ...silent('none', 'backed_off'), ...leftAlone }));
    return judge({ ...checkOf({ mode: 'enhanced' }), facts }, knowledge, NOTHING_KNOWN, 'fresh').result.smtp_diagnosis;
  };
  expect([diagnosisOf({}), diagnosisOf(DO_NOT_PROBE)]).toEqual(['policy_block', null]);
});

it('names the forwarding service behind the mail host, whatever the verdict', () => {
  const host = 'route1.mx.cloudflare.net';
  const facts = checkFacts(probeFacts(), { kind: 'found', primary: host, exchanges: [host] });
  const { result } = judge({ ...checkOf({}), facts }, knowledge, NOTHING_KNOWN, 'fresh');
  expect(result).toMatchObject({ result: 'valid', relay: true, relay_provider: 'Cloudflare Email Routing' });
});

it('counts the mail host of a throw-away service, but not against a domain that is known for freemail', () => {
  const disposable = (email: string): boolean => {
    const host = 'mail.mailinator.com';
    const facts = checkFacts(probeFacts(), { kind: 'found', primary: host, exchanges: [host] });
    return judge({ ...checkOf({ email }), facts }, knowledge, NOTHING_KNOWN, 'fresh').result.disposable;
  };
  expect([disposable('ann@example.com'), disposable('ann@gmail.com')]).toEqual([true, false]);
});

describe('free_email', () => {
  it('is true for a listed domain, and false only for a classified one', () => {
    expect(resultOf({ email: 'ann@gmail.com', facts: null }).free_email).toBe(true);
    expect(resultOf({}).free_email).toBe(false);
    const unclassified = { mx: null, addresses: null, mailHosts: null };
    expect(resultOf({ facts: unclassified })).toMatchObject({ free_email: null, domain: { types: null } });
  });
});

describe('a parked domain', () => {
  it('is flagged and scored lower, and keeps its verdict', () => {
    const result = resultOf({ facts: { ...PARKED, mailHostListed: false, blacklists: 0 } });
    expect(result).toMatchObject({
      result: 'valid',
      parked: true,
      spam_trap: false,
      decision: { recommendation: 'allow' },
    });
    expect(result.score).toBeGreaterThanOrEqual(0.7);
    expect(result.score).toBeLessThan(resultOf({ facts: { blacklists: 0 } }).score as number);
  });

  it('is flagged as a suspected spam trap if its mail host is blacklisted, without a verdict', () => {
    expect(resultOf({ facts: PARKED })).toMatchObject({
      result: 'valid',
      deliverable: true,
      spam_trap: true,
      spam_trap_type: 'reputation_heuristic',
      score: 0.7,
      decision: { recommendation: 'review', reasons: ['mailbox_accepts', 'spam_trap'] },
    });
  });

  it('is a known spam trap if it is listed', () => {
    const curated = new StaticCuratedLists({ ...NOTHING_LISTED, spamTraps: new Set(['example.com']) });
    expect(resultOf({ facts: PARKED, curated }).spam_trap_type).toBe('known_trap_domain');
  });
});

it('domain facts move the score within the band of the verdict', () => {
  const good = {
    dkim: true,
    mtaSts: true,
    tlsRpt: true,
    dane: true,
    dnssec: 'secure',
    caa: true,
    blacklists: 0,
  } as const;
  expect(resultOf({ facts: good }).score).toBe(1);
  expect(resultOf({ email: 'info@example.com', facts: good }).score).toBe(0.66);
  expect(resultOf({ facts: { spf: false, dmarc: false, dmarcPolicy: null } }).score).toBeLessThan(0.95);
});
