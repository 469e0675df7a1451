import fc from 'fast-check';
import { checkFacts, FOUND, probeFacts, refusal, silence } from '../../../test/factories/check-facts.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import type { CheckFacts, MailHostFacts } from '../../engine/check.js';
import type { Answer } from '../../engine/smtp/answer.js';
import { classifyReply } from '../../engine/smtp/classify/classify-reply.js';
import { judgeRecipient } from '../../engine/smtp/judge-recipient.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import type { Mode } from '../../engine/verdict/result.js';
import { decideVerdict, isCatchAll, type VerdictFacts } from '../../engine/verdict/verdict.js';
import type { CachedCheck, Depth } from './cached-check.js';
import { serves, type Service, type ServiceTerms } from './serves.js';

const CHECKED = new Date('2026-11-28T12:00:00.000Z');
const after = (seconds: number): Date => new Date(CHECKED.getTime() + seconds * 1000);

function cached(facts: CheckFacts, depth: Depth = 'standard'): CachedCheck {
  const hash = '00'.repeat(32);
  return {
    hash,
    domain: 'example.com',
    facts,
    depth,
    checkedAt: CHECKED,
    expiresAt: after(600),
    engineVersion: ENGINE_VERSION,
  };
}
const terms = (over: Partial<ServiceTerms> = {}): ServiceTerms => ({
  mode: 'standard',
  maxAgeSeconds: null,
  now: after(60),
  ...over,
});

describe('age', () => {
  it.each<[string, number, number | null, Service]>([
    ['within its life', 599.999, null, 'serves'],
    ['at the end of its life', 600, null, 'stale'],
    ['long after', 90 * 86_400, null, 'stale'],
    ['as old as the call allows', 60, 60, 'serves'],
    ['older than the call allows', 60.001, 60, 'stale'],
    ['past its life, though the call would allow it', 700, 3600, 'stale'],
    ['just checked, by a call that wants it checked again', 0, 0, 'stale'],
    ['checked by a clock that is ahead', -1, 60, 'serves'],
    ['checked by a clock that is ahead, to be checked again', -1, 0, 'stale'],
  ])('%s', (_, age, maxAgeSeconds, service) => {
    expect(serves(cached(checkFacts()), terms({ now: after(age), maxAgeSeconds }))).toBe(service);
  });

  it('counts before depth: a check that is too old is stale', () => {
    expect(serves(cached(checkFacts()), terms({ now: after(601), mode: 'enhanced' }))).toBe('stale');
  });
});

describe('depth', () => {
  const none: MailHostFacts = { kind: 'none', why: 'no_records', ttlSeconds: 600 };
  const broken: MailHostFacts = { kind: 'broken', why: 'servfail' };
  it.each<[string, CachedCheck, Mode, Service]>([
    ['no mail host, for enhanced', cached(checkFacts(null, none), 'dns'), 'enhanced', 'serves'],
    ['broken DNS, for standard', cached(checkFacts(null, broken), 'dns'), 'standard', 'serves'],
    ['a mail host that nobody asked', cached(checkFacts(null), 'dns'), 'standard', 'too_shallow'],
    ['standard for standard', cached(checkFacts()), 'standard', 'serves'],
    ['enhanced for standard', cached(checkFacts(), 'enhanced'), 'standard', 'serves'],
    ['enhanced for enhanced', cached(checkFacts(), 'enhanced'), 'enhanced', 'serves'],
    ['an acceptance, for enhanced', cached(checkFacts()), 'enhanced', 'too_shallow'],
    ['a 252, for enhanced', cached(checkFacts(refusal('unattributed', 252, 'nobody'))), 'enhanced', 'too_shallow'],
    ['a refusal, for enhanced', cached(checkFacts(refusal('mailbox_not_found', 550))), 'enhanced', 'serves'],
    ['a deferral, for enhanced', cached(checkFacts(refusal('greylisted', 450, 'server'))), 'enhanced', 'serves'],
    ['silence, for enhanced', cached(checkFacts(silence('timeout', 'rcpt'))), 'enhanced', 'serves'],
    ['anything, for quick', cached(checkFacts(), 'enhanced'), 'quick', 'too_shallow'],
  ])('%s', (_, check, mode, service) => {
    expect(serves(check, terms({ mode }))).toBe(service);
  });

  it.each([
    [1, refusal('mailbox_not_found', 550), 'stale'],
    [1, refusal('mailbox_full', 552), 'stale'],
    [1, probeFacts(), 'serves'],
    [ENGINE_VERSION, refusal('mailbox_not_found', 550), 'serves'],
    // A check recorded before reasons were stored has no probe to judge again.
    [0, refusal('mailbox_not_found', 550), 'serves'],
  ] as const)('of engine %i that asked for no proof of a refusal: %j %s', (engineVersion, probe, service) => {
    expect(serves({ ...cached(checkFacts(probe)), engineVersion }, terms({ mode: 'standard' }))).toBe(service);
  });

  it('an acceptance serves enhanced calls if a random recipient means nothing at its mail host', () => {
    const exchanges = ['mx.example.com', 'mx.example.net'];
    const mixed: MailHostFacts = { kind: 'found', primary: 'mx.example.com', exchanges };
    const meaningless = new Set(['mx.example.com']);
    const mode = 'enhanced';
    const randomMeansSomething = (host: string): boolean => !meaningless.has(host);
    expect(serves(cached(checkFacts()), terms({ mode, randomMeansSomething }))).toBe('serves');
    const both = cached(checkFacts(probeFacts(), mixed));
    expect(serves(both, terms({ mode, randomMeansSomething }))).toBe('too_shallow');
  });
});

describe('an enhanced check with an inconclusive random recipient', () => {
  const inconclusive = (said: Partial<ProbeFacts> = {}): CachedCheck => ({
    ...cached(checkFacts(probeFacts({ ...said, random: 'inconclusive' })), 'enhanced'),
    expiresAt: after(30 * 86_400),
  });
  const at = (seconds: number, mode: Mode = 'enhanced'): ServiceTerms => terms({ mode, now: after(seconds) });

  it('answers enhanced calls as long as a transient result', () => {
    expect(serves(inconclusive(), at(14 * 60))).toBe('serves');
    expect(serves(inconclusive(), at(14 * 60 + 1))).toBe('too_shallow');
  });

  it('answers other calls for its whole life, and all calls if a random recipient changes nothing', () => {
    expect(serves(inconclusive(), at(86_400, 'standard'))).toBe('serves');
    expect(serves(inconclusive(refusal('mailbox_not_found', 550)), at(86_400))).toBe('serves');
    expect(serves(inconclusive(), { ...at(86_400), randomMeansSomething: () => false })).toBe('serves');
  });
});

describe('a shallow check', () => {
  const HOST = 'mx.example.com';
  // Most of these cases depend on the random recipient.
  const code = fc.constantFrom(250, 251, 252, 421, 450, 451, 550, 551, 552, 553, 554, 571);
  const wording = fc.constantFrom('ok', 'user unknown', 'greylisted', 'blocked using zen', 'mailbox full', '');
  const reply = fc.record({
    code,
    enhanced: fc.constantFrom(null, '4.7.1', '5.1.1', '5.2.2', '5.7.1'),
    lines: wording.map((text) => [text]),
    mixed: fc.constant(false),
  });
  const answer: fc.Arbitrary<Answer> = fc.oneof(
    { weight: 8, arbitrary: reply.map((said): Answer => ({ kind: 'reply', reply: said, stage: 'rcpt' })) },
    reply.filter((said) => said.code >= 400).map((said): Answer => ({ kind: 'reply', reply: said, stage: 'mail' })),
    fc.constantFrom<Answer>({ kind: 'timeout', stage: 'rcpt' }, { kind: 'closed', stage: 'greeting' }),
  );
  const mailHosts = fc.oneof(
    { weight: 8, arbitrary: fc.constant(FOUND) },
    fc.constant<MailHostFacts>({ kind: 'none', why: 'null_mx', ttlSeconds: 60 }),
    fc.constant<MailHostFacts>({ kind: 'broken', why: 'servfail' }),
  );

  it('never serves a call whose own check could differ', () => {
    const judged = (facts: VerdictFacts) => ({ verdict: decideVerdict(facts), catchAll: isCatchAll(facts) });
    fc.assert(
      fc.property(
        answer,
        mailHosts,
        fc.constantFrom<Mode>('quick', 'standard', 'enhanced', 'enhanced', 'enhanced'),
        fc.constantFrom<'never' | 'sometimes'>('never', 'sometimes'),
        fc.constantFrom<Depth>('dns', 'standard', 'standard'),
        fc.boolean(),
        (said, hosts, mode, acceptsAll, depth, meaningful) => {
          const probeAt = (random: ProbeFacts['random']): ProbeFacts => ({
            ...judgeRecipient(said, { random }, 'ann@example.com', { ownNames: [], provider: null }, classifyReply),
            random,
            host: HOST,
            egress: 'direct',
          });
          const probed = depth === 'standard' && hosts.kind === 'found';
          const onRecord = checkFacts(probed ? probeAt('not_asked') : null, hosts);
          const service = serves(cached(onRecord, depth), terms({ mode, randomMeansSomething: () => meaningful }));
          if (service !== 'serves') return;

          expect(mode).not.toBe('quick');
          const verdictFacts = (probe: ProbeFacts | null): VerdictFacts => ({
            syntaxValid: true,
            blocked: false,
            mailHosts: hosts.kind,
            disposable: false,
            role: false,
            acceptsAll,
            knownCatchAll: false,
            spamTrap: false,
            noProbe: false,
            mode,
            deferred: false,
            probe,
          });
          const asksRandom = mode === 'enhanced' && meaningful;
          const randoms: ProbeFacts['random'][] = asksRandom ? ['accepted', 'refused', 'inconclusive'] : ['not_asked'];
          for (const random of randoms) {
            const own = hosts.kind === 'found' ? probeAt(random) : null;
            expect(judged(verdictFacts(onRecord.probe))).toEqual(judged(verdictFacts(own)));
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});
