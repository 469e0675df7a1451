import fc from 'fast-check';
import { checkFacts, FOUND, probeFacts, refusal, silence } from '../../../test/factories/check-facts.js';
import type { CheckFacts, MailHostFacts } from '../../engine/check.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import { readFacts, writeFacts } from './facts-text.js';

const none: MailHostFacts = { kind: 'none', why: 'no_public_address', ttlSeconds: 300 };
const every: CheckFacts[] = [
  checkFacts(),
  checkFacts(probeFacts({ random: 'accepted', retryAfterSeconds: 300, host: null, egress: null })),
  checkFacts(refusal('greylisted', 451, 'server')),
  checkFacts(silence('backed_off', 'none')),
  checkFacts(null),
  checkFacts(null, none),
  checkFacts(null, { kind: 'broken', why: 'its MX records could not be looked up: servfail' }),
  checkFacts(null, null),
];

describe('facts on record', () => {
  it.each(every)('are read back as they were written: %j', (facts) => {
    expect(readFacts(writeFacts(facts))).toEqual(facts);
    // MySQL returns JSON columns as values.
    expect(readFacts(JSON.parse(writeFacts(facts)))).toEqual(facts);
  });

  it.each<[string, unknown]>([
    ['no JSON', '{"mailHosts":'],
    ['nothing', null],
    ['a list', '[]'],
    ['a text', '"found"'],
    ['no probe field', { mailHosts: null }],
    ['an unknown kind of mail hosts', { mailHosts: { kind: 'lost' }, probe: null }],
    ['mail hosts without names', { mailHosts: { kind: 'found', primary: 'mx.example.com' }, probe: null }],
    ['names that are none', { mailHosts: { ...FOUND, exchanges: [1] }, probe: null }],
    ['no TTL', { mailHosts: { kind: 'none', why: 'null_mx' }, probe: null }],
    ['an unknown reason', { mailHosts: { ...none, why: 'tired' }, probe: null }],
    ['a probe that is a list', { mailHosts: FOUND, probe: [] }],
  ])('are rejected if they are %s', (_, stored) => {
    expect(readFacts(stored)).toBeNull();
  });

  it.each(
    Object.entries({
      stage: 'data',
      ending: 'bored',
      code: '250',
      enhanced: 5.1,
      class: 'lovely',
      subject: 'them',
      permanent: 1,
      diagnosis: 'measles',
      rule: {},
      retryAfterSeconds: '300',
      random: null,
      host: 7,
      egress: [],
    } satisfies Record<Exclude<keyof ProbeFacts, 'witness'>, unknown>),
  )('are rejected without the %s of a probe, or with an invalid one', (field, wrong) => {
    const { [field]: _, ...rest } = { ...probeFacts() } as Record<string, unknown>;
    expect(readFacts({ mailHosts: FOUND, probe: rest })).toBeNull();
    expect(readFacts({ mailHosts: FOUND, probe: { ...rest, [field]: wrong } })).toBeNull();
    expect(readFacts({ mailHosts: FOUND, probe: probeFacts() })).not.toBeNull();
  });

  it('are read with and without a witness, and rejected with an invalid one', () => {
    const probe = { ...probeFacts(), witness: 'postmaster_accepted' as const };
    expect(readFacts(writeFacts({ mailHosts: FOUND, probe }))).toEqual({ mailHosts: FOUND, probe });
    expect(readFacts({ mailHosts: FOUND, probe: { ...probe, witness: 'a friend' } })).toBeNull();
  });

  it('never throw, whatever the row contains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.anything()), (stored) => {
        expect(() => readFacts(stored)).not.toThrow();
      }),
    );
  });
});
