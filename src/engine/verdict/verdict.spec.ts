import fc from 'fast-check';
import { probeFacts, silence } from '../../../test/factories/check-facts.js';
import type { ReplyClass, Subject } from '../smtp/classification.js';
import type { ProbeFacts } from '../smtp/prober.js';
import type { Mode } from './result.js';
import { decideBeforeProbe, decideVerdict, isCatchAll, type VerdictFacts } from './verdict.js';

function facts(overrides: Partial<VerdictFacts> = {}): VerdictFacts {
  return {
    syntaxValid: true,
    blocked: false,
    mailHosts: 'found',
    disposable: false,
    role: false,
    acceptsAll: 'never',
    knownCatchAll: false,
    spamTrap: false,
    noProbe: false,
    mode: 'standard',
    deferred: false,
    probe: null,
    ...overrides,
  };
}

const refusal = (cls: ReplyClass, code: number, subject: Subject = 'mailbox'): ProbeFacts =>
  probeFacts({ class: cls, code, subject, permanent: code >= 500, diagnosis: null });

const UNREACHABLE = ['unknown', 'smtp_unreachable', null] as const;

describe('the verdict table', () => {
  const accepted = probeFacts();
  it.each<[string, VerdictFacts, string, string | null, boolean | null]>([
    ['1 not an address', facts({ syntaxValid: false, blocked: true }), 'invalid', 'bad_syntax', false],
    ['2 blocked domain', facts({ blocked: true, mailHosts: 'none' }), 'invalid', 'blocked_domain', null],
    [
      '2 blocked domain, before the DNS has spoken',
      facts({ blocked: true, mailHosts: 'unknown' }),
      'invalid',
      'blocked_domain',
      null,
    ],
    [
      '11 nothing said by the DNS yet',
      facts({ mailHosts: 'unknown', disposable: true, role: true, knownCatchAll: true }),
      'unknown',
      'verification_pending',
      null,
    ],
    [
      '11 the same in quick mode',
      facts({ mailHosts: 'unknown', mode: 'quick' }),
      'unknown',
      'verification_pending',
      null,
    ],
    ['3 no mail host', facts({ mailHosts: 'none', disposable: true }), 'invalid', 'no_mx', false],
    ['4 disposable', facts({ disposable: true, role: true }), 'disposable', 'disposable_provider', null],
    [
      '4 disposable with broken DNS',
      facts({ disposable: true, mailHosts: 'broken' }),
      'disposable',
      'disposable_provider',
      null,
    ],
    ['5 role', facts({ role: true, mailHosts: 'broken' }), 'role', 'role_address', null],
    ['6 broken DNS', facts({ mailHosts: 'broken', mode: 'quick' }), 'unknown', 'smtp_unreachable', null],
    [
      '7 provider accepts all',
      facts({ acceptsAll: 'always', mode: 'quick' }),
      'catch_all',
      'accept_all_provider',
      null,
    ],
    [
      '7 provider accepts all, at a domain known as a catch-all',
      facts({ acceptsAll: 'always', knownCatchAll: true }),
      'catch_all',
      'accept_all_provider',
      null,
    ],
    ['8 known catch-all', facts({ knownCatchAll: true, spamTrap: true }), 'catch_all', 'catch_all_domain', null],
    ['9 spam trap, never probed', facts({ spamTrap: true, deferred: true }), 'unknown', 'spam_trap', null],
    ['9 spam trap in quick mode', facts({ spamTrap: true, mode: 'quick' }), 'unknown', 'spam_trap', null],
    ['9 spam trap, settled before', facts({ spamTrap: true, probe: accepted }), 'valid', 'mailbox_accepts', true],
    ['10 quick', facts({ mode: 'quick', deferred: true }), 'unknown', null, null],
    ['11 deferred', facts({ deferred: true }), 'unknown', 'verification_pending', null],
    [
      '17 deferred, but never to be probed',
      facts({ deferred: true, noProbe: true }),
      'unknown',
      'smtp_unreachable',
      null,
    ],
    ['10 quick, never to be probed', facts({ mode: 'quick', deferred: true, noProbe: true }), 'unknown', null, null],
    [
      '14 accepted before it was listed',
      facts({ deferred: true, noProbe: true, probe: accepted }),
      'valid',
      'mailbox_accepts',
      true,
    ],
    [
      '12 random accepted too',
      facts({ mode: 'enhanced', probe: probeFacts({ random: 'accepted' }) }),
      'catch_all',
      'catch_all_domain',
      null,
    ],
    [
      '14 random accepted too, for a call that is not enhanced',
      facts({ probe: probeFacts({ random: 'accepted' }) }),
      'valid',
      'mailbox_accepts',
      true,
    ],
    [
      '13 sometimes accepts all, not asked',
      facts({ acceptsAll: 'sometimes', probe: accepted }),
      'catch_all',
      'accept_all_provider',
      null,
    ],
    [
      '13 sometimes accepts all, random refused',
      facts({ acceptsAll: 'sometimes', mode: 'enhanced', probe: probeFacts({ random: 'refused' }) }),
      'valid',
      'mailbox_accepts',
      true,
    ],
    [
      '13 sometimes accepts all, inconclusive',
      facts({ acceptsAll: 'sometimes', mode: 'enhanced', probe: probeFacts({ random: 'inconclusive' }) }),
      'catch_all',
      'accept_all_provider',
      null,
    ],
    [
      '13 accepted by a host further down the list that sometimes accepts all',
      facts({ answeringAcceptsAll: 'sometimes', probe: accepted }),
      'catch_all',
      'accept_all_provider',
      null,
    ],
    [
      '13 accepted by a host further down the list that always accepts all',
      facts({ answeringAcceptsAll: 'always', probe: accepted }),
      'catch_all',
      'accept_all_provider',
      null,
    ],
    ['14 accepted', facts({ probe: accepted }), 'valid', 'mailbox_accepts', true],
    [
      '14 accepted, random inconclusive',
      facts({ mode: 'enhanced', probe: probeFacts({ random: 'inconclusive' }) }),
      'valid',
      'mailbox_accepts',
      true,
    ],
    ['15 unknown mailbox', facts({ probe: refusal('mailbox_not_found', 550) }), 'invalid', 'mailbox_not_found', false],
    ['15 disabled mailbox', facts({ probe: refusal('mailbox_disabled', 554) }), 'invalid', 'mailbox_not_found', false],
    ['15 full mailbox', facts({ probe: refusal('mailbox_full', 552) }), 'invalid', 'mailbox_not_found', false],
    [
      '15 a witness was accepted',
      facts({ probe: { ...refusal('mailbox_not_found', 550), witness: 'postmaster_accepted' } }),
      'invalid',
      'mailbox_not_found',
      false,
    ],
    ['16 full for now', facts({ probe: refusal('mailbox_full', 452) }), 'unknown', 'greylisted', null],
    ['16 greylisted', facts({ probe: refusal('greylisted', 451, 'server') }), 'unknown', 'greylisted', null],
    [
      '16 greylisted, written as 550',
      facts({ probe: refusal('greylisted', 550, 'server') }),
      'unknown',
      'greylisted',
      null,
    ],
    [
      '16 greylisted at MAIL',
      facts({ probe: { ...refusal('greylisted', 451, 'server'), stage: 'mail' } }),
      'unknown',
      'greylisted',
      null,
    ],
    ['16 the lowest deferral', facts({ probe: refusal('unattributed', 400, 'nobody') }), 'unknown', 'greylisted', null],
    [
      '16 the highest deferral',
      facts({ probe: refusal('unattributed', 499, 'nobody') }),
      'unknown',
      'greylisted',
      null,
    ],
    ['17 a bare 500', facts({ probe: refusal('unattributed', 500, 'nobody') }), ...UNREACHABLE],
    ['16 missing for now', facts({ probe: refusal('mailbox_not_found', 450) }), 'unknown', 'greylisted', null],
    ['17 policy', facts({ probe: refusal('policy', 550, 'us') }), 'unknown', 'smtp_unreachable', null],
    ['17 policy for now', facts({ probe: refusal('policy', 451, 'us') }), 'unknown', 'smtp_unreachable', null],
    ['17 relay denied', facts({ probe: refusal('relay_denied', 550, 'us') }), 'unknown', 'smtp_unreachable', null],
    [
      '17 unattributed 550',
      facts({ probe: refusal('unattributed', 550, 'nobody') }),
      'unknown',
      'smtp_unreachable',
      null,
    ],
    ['17 unattributed 554', facts({ probe: refusal('unattributed', 554, 'nobody') }), ...UNREACHABLE],
    ['17 bare 421', facts({ probe: refusal('unattributed', 421, 'nobody') }), 'unknown', 'smtp_unreachable', null],
    [
      '17 unattributed 550 at MAIL',
      facts({ probe: { ...refusal('unattributed', 550, 'nobody'), stage: 'mail' } }),
      ...UNREACHABLE,
    ],
    [
      '17 deferred at MAIL',
      facts({ probe: { ...refusal('server_fault', 451, 'server'), stage: 'mail' } }),
      ...UNREACHABLE,
    ],
    ['17 unproven 252', facts({ probe: refusal('unattributed', 252, 'nobody') }), 'unknown', 'smtp_unreachable', null],
    [
      '17 back-off',
      facts({ probe: probeFacts({ ending: 'backed_off', class: null, code: null }) }),
      'unknown',
      'smtp_unreachable',
      null,
    ],
    [
      '18 no connection',
      facts({ probe: probeFacts({ ending: 'no_connection', stage: 'connect', class: null }) }),
      'unknown',
      'smtp_unreachable',
      null,
    ],
    ['18 hung up at RCPT', facts({ probe: silence('closed', 'rcpt') }), ...UNREACHABLE],
    ['18 no SMTP at RCPT', facts({ probe: silence('garbage', 'rcpt') }), ...UNREACHABLE],
    ['19 timeout', facts({ probe: probeFacts({ ending: 'timeout', class: null }) }), 'unknown', 'smtp_timeout', null],
  ])('row %s', (_, given, result, reason, deliverable) => {
    expect(decideVerdict(given)).toEqual({ result, reason, deliverable });
  });

  it('needs a probe only if nothing else decides', () => {
    expect(decideBeforeProbe(facts())).toBeNull();
    expect(() => decideVerdict(facts())).toThrow('needs a probe');
  });

  it('never reads a reply about us, or one at another stage than RCPT, as a missing mailbox', () => {
    const classes: ReplyClass[] = [
      'policy',
      'relay_denied',
      'auth_required',
      'tls_required',
      'greylisted',
      'server_fault',
      'too_many_recipients',
      'mailbox_rate_limited',
    ];
    const anyFacts = fc.record({
      mode: fc.constantFrom<Mode>('standard', 'enhanced'),
      acceptsAll: fc.constantFrom('sometimes' as const, 'never' as const),
      code: fc.integer({ min: 400, max: 599 }),
      about: fc.oneof(
        fc.record({ stage: fc.constant('rcpt' as const), class: fc.constantFrom(...classes) }),
        fc.record({
          stage: fc.constantFrom('greeting' as const, 'ehlo' as const, 'starttls' as const, 'mail' as const),
          class: fc.constantFrom<ReplyClass>('mailbox_not_found', 'mailbox_full', 'unattributed', 'policy'),
        }),
      ),
    });
    fc.assert(
      fc.property(anyFacts, ({ mode, acceptsAll, code, about }) => {
        const given = probeFacts({ ...about, code, subject: 'us', permanent: code >= 500 });
        expect(decideVerdict(facts({ mode, acceptsAll, probe: given }))).toMatchObject({
          result: 'unknown',
          deliverable: null,
        });
      }),
    );
  });
});

describe('isCatchAll', () => {
  it('is true whichever row decides the verdict', () => {
    expect(isCatchAll(facts({ role: true, acceptsAll: 'always' }))).toBe(true);
    expect(isCatchAll(facts({ disposable: true, knownCatchAll: true }))).toBe(true);
    expect(isCatchAll(facts({ mode: 'enhanced', probe: probeFacts({ random: 'accepted' }) }))).toBe(true);
    expect(isCatchAll(facts({ acceptsAll: 'sometimes', probe: probeFacts() }))).toBe(true);
  });
  it('is false while it is not known', () => {
    expect(isCatchAll(facts())).toBe(false);
    expect(isCatchAll(facts({ acceptsAll: 'sometimes' }))).toBe(false);
    expect(isCatchAll(facts({ mailHosts: 'none', acceptsAll: 'always' }))).toBe(false);
    expect(isCatchAll(facts({ mailHosts: 'unknown', knownCatchAll: true }))).toBe(false);
    expect(isCatchAll(facts({ probe: probeFacts() }))).toBe(false);
    expect(isCatchAll(facts({ mode: 'enhanced', probe: probeFacts({ random: 'refused' }) }))).toBe(false);
  });
});
