import { checkFacts, FOUND, probeFacts, refusal } from '../../../test/factories/check-facts.js';
import { knowledgeWith, targetOf } from '../../../test/factories/job-work.js';
import type { CheckFacts } from '../../engine/check.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import type { CachedCheck } from '../../verify/cache/cached-check.js';
import { OutcomeRules, type Known, type OutcomeRulesOptions } from './outcome-rules.js';
import { domainCatchAll } from './judge-before-probe.js';

const NOW = new Date('2026-11-28T12:00:00Z');
const MINUTES = 60_000;
const ARRIVED = new Date('2026-11-28T11:59:00Z');
const GREYLISTED = refusal('greylisted', 451, 'us');
const ACCEPTS_ALL = { kind: 'found', primary: 'mx.sendgrid.net', exchanges: ['mx.sendgrid.net'] } as const;

beforeAll(() => jest.useFakeTimers({ now: NOW }));
afterAll(() => jest.useRealTimers());

const settlingWith = (over: Partial<OutcomeRulesOptions> = {}) =>
  new OutcomeRules({
    mode: 'standard',
    chunk: 'first',
    greylistRetryMs: 15 * MINUTES,
    knowledge: knowledgeWith(),
    ...over,
  });

const known = (email = 'ann@example.com', over: Partial<Known> = {}): Known => ({
  target: targetOf(email, [3, 9]),
  domain: domainCatchAll(undefined, ARRIVED),
  stale: false,
  ...over,
});
const catchAllSince = (since: string) => domainCatchAll(new Date(since), ARRIVED);

function onRecord(facts: CheckFacts, checkedAt = new Date(NOW.getTime() - 10 * MINUTES)): CachedCheck {
  return {
    hash: 'hash of ann@example.com',
    domain: 'example.com',
    facts,
    depth: 'standard',
    checkedAt,
    expiresAt: new Date(NOW.getTime() + MINUTES),
    engineVersion: 0,
  };
}

describe('settling by a check on record', () => {
  it('gives the outcome with the age of the check', () => {
    const check = onRecord(checkFacts());
    const settled = settlingWith().byRecord(known(), check);
    expect(settled).toEqual({
      kind: 'outcome',
      outcome: {
        kind: 'facts',
        source: 'recorded',
        positions: [3, 9],
        facts: {
          facts: check.facts,
          checkedAt: check.checkedAt,
          engineVersion: 0,
          freshness: 'cached_recent',
          catchAll: false,
        },
        check: null,
        knownCatchAll: false,
      },
    });
  });

  it('counts a greylisted check as the first attempt: the retry is due after the same delay', () => {
    const settled = settlingWith().byRecord(known(), onRecord(checkFacts(GREYLISTED)));
    expect(settled).toMatchObject({ kind: 'retry', retry: { afterMs: 5 * MINUTES, egress: 'direct' }, check: null });
    const longAgo = onRecord(checkFacts(GREYLISTED), new Date(NOW.getTime() - 60 * MINUTES));
    expect(settlingWith().byRecord(known(), longAgo)).toMatchObject({ kind: 'retry', retry: { afterMs: 0 } });
  });

  it('limits the retry delay to what the host asked for after the clock went back', () => {
    const ahead = onRecord(checkFacts(GREYLISTED), new Date(NOW.getTime() + 60 * MINUTES));
    const settled = settlingWith().byRecord(known(), ahead);
    expect(settled).toMatchObject({ kind: 'retry', retry: { afterMs: 15 * MINUTES } });
  });

  it.each<[string, ReturnType<typeof settlingWith>, Known]>([
    ['where there is no retry', settlingWith({ greylistRetryMs: 0 }), known()],
    ['after the retry', settlingWith({ chunk: 'retry' }), known()],
    [
      'where nobody is to be asked',
      settlingWith(),
      known('ann@example.com', { domain: catchAllSince('2026-11-01T00:00:00Z') }),
    ],
    ['of a role', settlingWith(), known('info@example.com')],
    [
      'where a trap is by now',
      settlingWith({ knowledge: knowledgeWith({ spamTraps: new Set(['example.com']) }) }),
      known(),
    ],
  ])('that was greylisted, that is the outcome %s', (_, rules, one) => {
    expect(rules.byRecord(one, onRecord(checkFacts(GREYLISTED)))).toMatchObject({ kind: 'outcome' });
  });
});

describe('settling by the DNS', () => {
  it('settles a domain without a mail host, and puts that on record', () => {
    const none = { kind: 'none', why: 'nxdomain', ttlSeconds: 300 } as const;
    const settled = settlingWith().byDns(known('ann@example.com', { stale: true }), none);
    expect(settled).toMatchObject({
      kind: 'outcome',
      outcome: {
        source: 'dns',
        facts: { facts: { mailHosts: none, probe: null }, checkedAt: NOW, freshness: 'cached_stale_refreshed' },
        check: { depth: 'dns', hash: 'hash of ann@example.com', engineVersion: ENGINE_VERSION },
      },
    });
  });

  it.each([
    ['a disposable domain', 'ann@throw-away.test', {}],
    ['a role', 'info@example.com', {}],
    ['a blocked domain', 'ann@blocked.test', {}],
    ['a trap', 'ann@trap.test', {}],
    ['a known catch-all', 'ann@example.com', { domain: catchAllSince('2026-11-28T11:59:30Z') }],
  ])('nobody is asked about %s', (_, email, over) => {
    const knowledge = knowledgeWith({ blocked: new Map([['blocked.test', null]]), spamTraps: new Set(['trap.test']) });
    const settled = settlingWith({ knowledge }).byDns(known(email, over), FOUND);
    expect(settled).toMatchObject({ kind: 'outcome', outcome: { source: 'dns', facts: { facts: { probe: null } } } });
  });

  it('leaves other addresses to a probe', () => {
    expect(settlingWith().byDns(known(), FOUND)).toBeNull();
  });

  it.each([
    ['a host that is known to accept everybody', ACCEPTS_ALL, domainCatchAll(undefined, ARRIVED), true],
    ['a domain that was known as a catch-all when the job came', FOUND, catchAllSince('2026-11-28T11:59:00Z'), true],
    ['one that was found to be one since', FOUND, catchAllSince('2026-11-28T11:59:01Z'), false],
  ])('the standard rate holds at %s: %#', (_, mailHosts, domain, cheaper) => {
    const settled = settlingWith({ mode: 'enhanced' }).byDns(known('ann@example.com', { domain }), mailHosts);
    expect(settled).toMatchObject({ outcome: { knownCatchAll: cheaper, facts: { catchAll: domain.catchAll } } });
  });

  it('charges the standard rate, whichever row decides', () => {
    const settled = settlingWith({ mode: 'enhanced' }).byDns(known('ann@throw-away.test'), ACCEPTS_ALL);
    expect(settled).toMatchObject({ outcome: { knownCatchAll: true } });
  });
});

describe('settling by a mail host', () => {
  it('gives the outcome and puts it on record at the depth of the job', () => {
    const probe = probeFacts({ random: 'refused' });
    const settled = settlingWith({ mode: 'enhanced' }).byProbe(known(), FOUND, probe);
    expect(settled).toMatchObject({
      kind: 'outcome',
      outcome: {
        source: 'probe',
        facts: { facts: { mailHosts: FOUND, probe }, freshness: 'fresh', checkedAt: NOW },
        check: { depth: 'enhanced', facts: { probe } },
        knownCatchAll: false,
      },
    });
  });

  it('retries a greylisted address through the same egress, and records it as greylisted until then', () => {
    const probe = { ...GREYLISTED, retryAfterSeconds: 300, egress: 'socks/one' };
    expect(settlingWith().byProbe(known(), FOUND, probe)).toMatchObject({
      kind: 'retry',
      retry: { afterMs: 301_000, egress: 'socks/one', target: { positions: [3, 9] } },
      check: { facts: { probe } },
    });
    expect(settlingWith({ chunk: 'retry' }).byProbe(known(), FOUND, probe)).toMatchObject({ kind: 'outcome' });
  });
});
