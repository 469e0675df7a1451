import type { DnsAnswer } from '../../engine/dns/resolver.js';
import { ResolverValidation } from './resolver-validation.js';

const MINUTE = 60_000;
const signed = (authenticated: boolean): DnsAnswer => ({ kind: 'nodata', ttlSeconds: 60, authenticated });
const DOWN: DnsAnswer = { kind: 'failure', why: 'timeout', blame: 'resolver' };

function setUp(answers: DnsAnswer[]) {
  let asked = 0;
  let time = 0;
  const validation = new ResolverValidation(
    { query: async () => answers[Math.min(asked++, answers.length - 1)]! },
    () => time,
  );
  return { validation, asked: () => asked, later: (ms: number): void => void (time += ms) };
}

describe('the DNSSEC check of the resolver', () => {
  it('runs once for all callers and is cached', async () => {
    const { validation, asked, later } = setUp([signed(true), signed(false)]);
    expect(validation.last).toBeNull();
    expect(await Promise.all([validation.validates(), validation.validates()])).toEqual([true, true]);
    later(9 * MINUTE);
    expect([await validation.validates(), asked(), validation.last]).toEqual([true, 1, true]);
    later(MINUTE);
    expect([await validation.validates(), asked(), validation.last]).toEqual([false, 2, false]);
  });

  it('runs again sooner if the resolver does not validate, and at once if it did not answer', async () => {
    const { validation, asked, later } = setUp([signed(false), DOWN, signed(true)]);
    expect(await validation.validates()).toBe(false);
    later(MINUTE);
    expect([await validation.validates(), validation.last]).toEqual([null, null]);
    expect([await validation.validates(), asked()]).toEqual([true, 3]);
  });
});
