import { signalLists } from '../../../test/factories/signal-lists.js';
import { checkFacts, probeFacts, refusal, silence } from '../../../test/factories/check-facts.js';
import { parseAddress } from '../../engine/address/parse-address.js';
import { assess, type Assessment, type Knowledge } from '../../engine/assess.js';
import type { CheckFacts } from '../../engine/check.js';
import type { Mode } from '../../engine/verdict/result.js';
import { withoutReason } from './without-reason.js';

type Says = { disposable?: boolean; blocked?: boolean; trap?: boolean; acceptsAll?: 'always' | 'sometimes' };

function knowledge({ disposable = false, blocked = false, trap = false, acceptsAll }: Says): Knowledge {
  const provider = acceptsAll && { acceptsAll };
  return {
    lists: signalLists({ isDisposableDomain: () => disposable, isRole: (localPart) => localPart === 'info' }),
    curated: { blocked: () => (blocked ? 'example.com' : null), isSpamTrap: () => trap },
    findProvider: () => provider ?? null,
    suggestCorrection: () => null,
  } as unknown as Knowledge;
}

interface Case extends Says {
  readonly email?: string;
  readonly facts?: CheckFacts;
  readonly mode?: Mode;
  readonly catchAll?: boolean;
}

function assessed({
  email = 'ann@example.com',
  facts = checkFacts(),
  mode = 'standard',
  catchAll,
  ...says
}: Case): Assessment {
  const check = { parsed: parseAddress(email), mode, deferred: false, facts, checkedAt: new Date(0) };
  return assess(check, knowledge(says), { catchAll: catchAll ?? false });
}

describe('an answer from a check that was recorded before reasons were stored', () => {
  it.each<[string, Case]>([
    ['mailbox_accepts', {}],
    ['mailbox_not_found', { facts: checkFacts(refusal('mailbox_not_found', 550)) }],
    ['greylisted', { facts: checkFacts(refusal('greylisted', 451, 'server')) }],
    ['smtp_timeout', { facts: checkFacts(silence('timeout', 'greeting')) }],
    ['smtp_unreachable', { facts: checkFacts(silence('no_connection', 'connect')) }],
    ['catch_all_domain', { facts: checkFacts(probeFacts({ random: 'accepted' })), mode: 'enhanced' }],
    ['accept_all_provider', { acceptsAll: 'sometimes' }],
  ])('has no reason if the probe gave it: %s', (reason, given) => {
    const assessment = assessed(given);
    expect(assessment.reason).toBe(reason);
    const { recommendation } = assessment.decision;
    expect(withoutReason(assessment)).toEqual({
      ...assessment,
      reason: null,
      decision: { recommendation, reasons: [] },
    });
  });

  it.each<[string, Case]>([
    ['bad_syntax', { email: 'nobody', facts: checkFacts(null, null) }],
    ['blocked_domain', { blocked: true }],
    ['no_mx', { facts: checkFacts(null, { kind: 'none', why: 'null_mx', ttlSeconds: 60 }) }],
    ['disposable_provider', { disposable: true }],
    ['role_address', { email: 'info@example.com' }],
    ['smtp_unreachable', { facts: checkFacts(null, { kind: 'broken', why: 'servfail' }) }],
    ['accept_all_provider', { acceptsAll: 'always' }],
    ['catch_all_domain', { catchAll: true }],
    ['spam_trap', { trap: true, facts: checkFacts(null) }],
  ])('keeps a reason from lists, tables or DNS: %s', (reason, given) => {
    const assessment = assessed(given);
    expect(assessment.reason).toBe(reason);
    expect(withoutReason(assessment)).toBe(assessment);
  });

  it('keeps other facts that lowered the decision', () => {
    const { reason, decision } = withoutReason(assessed({ trap: true }));
    expect([reason, decision]).toEqual([null, { recommendation: 'review', reasons: ['spam_trap'] }]);
  });
});
