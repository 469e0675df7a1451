import { assert, constantFrom, emailAddress, pre, property, string, stringMatching } from 'fast-check';
import { parseAddress } from '../../engine/address/parse-address.js';
import { suggestCorrection } from '../../engine/address/suggest-correction.js';
import { SCORE_BANDS } from '../../engine/verdict/score-weights.js';
import { MODES, type Mode, type Reason } from '../../engine/verdict/result.js';
import type { VerifyResult } from '../verify.response.js';
import { sandboxResult } from './sandbox-result.js';

const resultOf = (email: string, mode: Mode = 'standard'): VerifyResult => sandboxResult(parseAddress(email), mode);
/** Masks the names in a result: all domains then give the same, except for the correction. */
const withoutNames = (result: VerifyResult): object => ({
  ...result,
  email: 'any',
  mx_record: result.mx_record && 'any',
  domain: result.domain && { ...result.domain, name: 'any' },
});

/** Local parts as people and machines write them; most are in no table. */
const localParts = stringMatching(/^[a-z0-9_+-]{1,30}$/);
const DELIVERABLE: ReadonlyMap<Reason | null, boolean> = new Map([
  ['mailbox_accepts', true],
  ['mailbox_not_found', false],
  ['no_mx', false],
  ['bad_syntax', false],
]);

/** The contradictions within a result. */
function contradictions(shown: VerifyResult): string[] {
  const { result, reason, deliverable, score, spam_trap: isTrap } = shown;
  const band = SCORE_BANDS[result];
  const reasons = [...(reason === null ? [] : [reason]), ...(isTrap && reason !== 'spam_trap' ? ['spam_trap'] : [])];
  const holds = {
    score: band === null ? score === null : score !== null && score >= band.min && score <= band.max,
    deliverable: reason === null || deliverable === (DELIVERABLE.get(reason) ?? null),
    reason: reason !== 'bad_syntax' && reason !== 'verification_pending',
    mx: shown.mx === (shown.mx_record !== null),
    relay: shown.relay === (shown.relay_provider !== null),
    spam_trap: isTrap === (shown.spam_trap_type !== null),
    reasons: shown.decision.reasons.join() === reasons.join(),
    checked_at: /^2025-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/.test(shown.checked_at ?? ''),
  };
  return Object.entries(holds).flatMap(([name, isSo]) => (isSo ? [] : [name]));
}

describe('a sandbox result', () => {
  it.each([
    ['VALID@Example.COM', 'valid'],
    ['  valid@example.com\n', 'valid'],
    ['"valid"@example.com', 'valid'],
    ['"in\\valid"@example.com', 'invalid'],
    ['Catch-All@example.com', 'catch_all'],
    ['valid@bücher.example', 'valid'],
  ])('of %j depends on its parsed local part', (email, result) => {
    expect(resultOf(email).result).toBe(result);
  });

  it.each([
    ['valid+tag', 'mailbox_not_found'],
    ['role+tag', 'catch_all_domain'],
    ['"valid "', 'smtp_timeout'],
    ['catch_all', 'mailbox_not_found'],
    ['ratelimit+1', 'mailbox_accepts'],
  ])('of %s is derived: only the whole local part is in the table', (localPart, reason) => {
    expect(resultOf(`${localPart}@example.com`).reason).toBe(reason);
  });

  it('ignores lists: the local part alone decides', () => {
    for (const domain of ['mailinator.com', 'gmail.com', 'mozmail.com', 'harvard.edu', 'nowhere.invalid']) {
      expect(withoutNames(resultOf(`valid@${domain}`))).toEqual(withoutNames(resultOf('valid@example.com')));
    }
  });

  it('suggests a correction like a live result', () => {
    expect(resultOf('valid@gmial.com').suggested_correction).toBe(suggestCorrection('valid@gmial.com'));
    expect(resultOf('ann@gmail,com')).toMatchObject({
      reason: 'bad_syntax',
      suggested_correction: 'ann@gmail.com',
      domain: null,
    });
  });

  it('names the domain, and a mail host in it if the name is short enough', () => {
    const [short, long] = [249, 251].map((length) => `${'a.'.repeat(121)}example.com`.slice(-length));
    for (const [domain, name, host] of [
      ['bücher.example', 'xn--bcher-kva.example', 'mx.xn--bcher-kva.example'],
      [short, short, `mx.${short}`],
      [long, long, long],
    ]) {
      const { mx_record: shown, domain: known } = resultOf(`x@${domain}`);
      expect([known?.name, shown]).toEqual([name, host]);
    }
  });

  it('is consistent, and differs between modes only in its diagnosis', () => {
    assert(
      property(localParts, (localPart) => {
        const email = `${localPart}@example.com`;
        const [quick, standard, enhanced] = MODES.map((mode) => resultOf(email, mode));
        expect(contradictions(standard!)).toEqual([]);
        expect(JSON.stringify(quick)).toBe(JSON.stringify(standard));
        expect(JSON.stringify({ ...enhanced, smtp_diagnosis: null })).toBe(JSON.stringify(standard));
      }),
      { numRuns: 500 },
    );
  });

  it('depends on the domain only in names and corrections', () => {
    assert(
      property(localParts, emailAddress(), (localPart, other) => {
        const there = resultOf(`${localPart}@${other.slice(other.lastIndexOf('@') + 1)}`);
        pre(there.reason !== 'bad_syntax');
        const here = resultOf(`${localPart}@example.com`);
        expect(withoutNames({ ...there, suggested_correction: null })).toEqual(withoutNames(here));
      }),
    );
  });

  it('exists for any text, and is always the same', () => {
    assert(
      property(string({ unit: 'grapheme', maxLength: 80 }), constantFrom(...MODES), (text, mode) => {
        const result = resultOf(text, mode);
        expect(JSON.stringify(resultOf(text, mode))).toBe(JSON.stringify(result));
        expect(result.reason === 'bad_syntax').toBe(!parseAddress(text).ok);
      }),
    );
  });
});
