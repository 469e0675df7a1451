import { decide } from './decision.js';
import type { Verdict } from './result.js';

describe('decide', () => {
  it.each<[Verdict['result'], Verdict['reason'], string]>([
    ['valid', 'mailbox_accepts', 'allow'],
    ['invalid', 'mailbox_not_found', 'deny'],
    ['invalid', 'blocked_domain', 'deny'],
    ['disposable', 'disposable_provider', 'deny'],
    ['role', 'role_address', 'review'],
    ['catch_all', 'catch_all_domain', 'review'],
    ['unknown', 'greylisted', 'review'],
  ])('%s for %s is %s', (result, reason, recommendation) => {
    expect(decide({ result, reason, deliverable: null }, false)).toEqual({ recommendation, reasons: [reason] });
  });

  it('has no reasons if the verdict has none', () => {
    expect(decide({ result: 'unknown', reason: null, deliverable: null }, false).reasons).toEqual([]);
  });

  it('turns allow into review on a spam-trap host, and says why', () => {
    expect(decide({ result: 'valid', reason: 'mailbox_accepts', deliverable: true }, true)).toEqual({
      recommendation: 'review',
      reasons: ['mailbox_accepts', 'spam_trap'],
    });
  });

  it('never turns review into deny, and names the trap once and only if it changed something', () => {
    expect(decide({ result: 'unknown', reason: 'spam_trap', deliverable: null }, true)).toEqual({
      recommendation: 'review',
      reasons: ['spam_trap'],
    });
    expect(decide({ result: 'invalid', reason: 'no_mx', deliverable: false }, true).reasons).toEqual(['no_mx']);
  });
});
