import { FOUND, probeFacts } from '../../../test/factories/check-facts.js';
import type { ProbeFacts } from '../../engine/smtp/prober.js';
import { probeTransition, type ActiveProbe, type ProbeTransition, type FinishedCheck } from './probe-transition.js';

const RETRY_MS = 900_000;

const facts = (over: Partial<ProbeFacts>): ProbeFacts => probeFacts({ egress: 'direct/mx.example.net', ...over });
const ACCEPTED = facts({});
const UNKNOWN = facts({ code: 550, class: 'mailbox_not_found', permanent: true });
const GREYLISTED = facts({ code: 451, class: 'greylisted', subject: 'us' });
const BUSY_MAILBOX = facts({ code: 452, class: 'mailbox_full' });
const SLOW = facts({ stage: 'greeting', ending: 'timeout', code: null, class: null, subject: null });
const UNREACHED = facts({ stage: 'connect', ending: 'no_connection', code: null, class: null, subject: null });
const HUNG_UP = facts({ stage: 'ehlo', ending: 'closed', code: null, class: null, subject: null });
const BACKED_OFF = facts({ stage: 'none', ending: 'backed_off', code: null, class: null, subject: null });
const REFUSED_US = facts({ code: 554, class: 'policy', subject: 'us', permanent: true });

const DUE: ActiveProbe = { mode: 'standard', state: 'due' };
const DEEP: ActiveProbe = { mode: 'enhanced', state: 'due' };
const GREY: ActiveProbe = { mode: 'standard', state: 'greylisted' };

function check(by: FinishedCheck['by'], probe: ProbeFacts | null, more: Partial<FinishedCheck> = {}): FinishedCheck {
  return {
    by,
    mode: 'standard',
    deferred: false,
    deadlinePassed: false,
    deeperCouldTell: probe?.class === 'accepted',
    facts: { mailHosts: FOUND, probe },
    ...more,
  };
}
const retry = (afterMs = RETRY_MS): ProbeTransition => ({ kind: 'retry', afterMs, egress: 'direct/mx.example.net' });
const late = { deadlinePassed: true };
const noHost = { facts: { mailHosts: { kind: 'none', why: 'nxdomain', ttlSeconds: 60 } as const, probe: null } };
const brokenDns = { facts: { mailHosts: { kind: 'broken', why: 'SERVFAIL' } as const, probe: null } };

describe('the next state of a pending probe', () => {
  it.each<[string, FinishedCheck, ActiveProbe | null, ProbeTransition | ProbeTransition['kind']]>([
    // The worker's own attempt, which has the full deadline.
    ['its turn found a verdict', check('turn', ACCEPTED), DUE, 'ended'],
    ['its turn found a refusal', check('turn', UNKNOWN), DUE, 'ended'],
    ['its turn timed out', check('turn', SLOW, late), DUE, 'ended'],
    ['its turn reached nobody', check('turn', UNREACHED), DUE, 'ended'],
    ['its turn was refused for our sake', check('turn', REFUSED_US), DUE, 'ended'],
    ['its turn met our own back-off', check('turn', BACKED_OFF), DUE, 'ended'],
    ['its turn found no mail host', check('turn', null, noHost), DUE, 'ended'],
    ['its turn found broken DNS', check('turn', null, brokenDns), DUE, 'ended'],
    ['its turn needed no probe any more', check('turn', null), DUE, 'ended'],
    // Greylisting: one retry.
    ['its turn was greylisted', check('turn', GREYLISTED), DUE, retry()],
    ['its turn was deferred for the mailbox', check('turn', BUSY_MAILBOX), DUE, retry()],
    ['its retry was greylisted again', check('retry', GREYLISTED), GREY, 'ended'],
    ['what greylisted it is recorded a second time', check('turn', GREYLISTED), GREY, 'kept'],
    ['its turn was greylisted, and it has ended meanwhile', check('turn', GREYLISTED), null, 'none'],
    ['its retry, greylisted again, is recorded a second time', check('retry', GREYLISTED), null, 'none'],
    ['its retry found a verdict', check('retry', ACCEPTED), GREY, 'ended'],
    ['its retry timed out', check('retry', SLOW, late), GREY, 'ended'],
    ['a call was greylisted, and nothing is under way', check('call', GREYLISTED), null, retry()],
    ['a call was greylisted before the probe', check('call', GREYLISTED), DUE, retry()],
    ['a call was greylisted before the retry', check('call', GREYLISTED), GREY, 'kept'],
    ['a call found a verdict before the retry', check('call', ACCEPTED), GREY, 'ended'],
    // Calls, which have short deadlines.
    ['a call found a verdict', check('call', ACCEPTED), DUE, 'ended'],
    ['a call found a verdict, and nothing is under way', check('call', ACCEPTED), null, 'none'],
    ['a call was cut short', check('call', SLOW, late), null, 'goes_on'],
    ['a call was cut short, and one is due', check('call', SLOW, late), DUE, 'goes_on'],
    ['a call was cut while it connected', check('call', UNREACHED, late), null, 'goes_on'],
    ['a call was cut after one host hung up', check('call', HUNG_UP, late), null, 'goes_on'],
    ['a call was cut in the DNS', check('call', null, { ...brokenDns, ...late }), null, 'goes_on'],
    ['a call ended by itself at a silent host', check('call', SLOW), null, 'none'],
    ['a call was answered just in time', check('call', UNKNOWN, late), null, 'none'],
    ['a call met our own back-off', check('call', BACKED_OFF, late), null, 'none'],
    // Depth.
    ['a deeper probe could tell more', check('call', ACCEPTED), DEEP, 'kept'],
    ['a deeper probe could tell no more', check('call', UNKNOWN), DEEP, 'ended'],
    ['a check as deep as it', check('call', ACCEPTED, { mode: 'enhanced' }), DEEP, 'ended'],
    ['it was deepened during its turn', check('turn', ACCEPTED), DEEP, 'kept'],
    // Checks that were not meant to ask a mail host.
    ['a call left the probe to it', check('call', null, { deferred: true }), DUE, 'kept'],
    ['a quick call', check('call', null, { mode: 'quick' }), DUE, 'kept'],
    ['a quick call, and nothing is under way', check('call', null, { mode: 'quick' }), null, 'none'],
    ['a quick call that found no mail host', check('call', null, { mode: 'quick', ...noHost }), DUE, 'ended'],
  ])('%s', (_, finished, probe, transition) => {
    expect(probeTransition(finished, probe, RETRY_MS)).toEqual(
      typeof transition === 'string' ? { kind: transition } : transition,
    );
  });

  it('has no retry if retries are disabled', () => {
    expect(probeTransition(check('turn', GREYLISTED), DUE, 0)).toEqual({ kind: 'ended' });
    expect(probeTransition(check('call', GREYLISTED), null, 0)).toEqual({ kind: 'none' });
  });

  it.each([
    [300, 301_000],
    [0, 1000],
    [7200, 3_600_000],
    [null, RETRY_MS],
  ])('waits as long as the host asks, at most an hour: %j s', (retryAfterSeconds, ms) => {
    expect(probeTransition(check('turn', { ...GREYLISTED, retryAfterSeconds }), DUE, RETRY_MS)).toEqual(retry(ms));
  });

  it('ends with its second turn, whatever the result', () => {
    for (const probe of [ACCEPTED, UNKNOWN, GREYLISTED, BUSY_MAILBOX, SLOW, UNREACHED, HUNG_UP, REFUSED_US]) {
      for (const mode of ['standard', 'enhanced'] as const) {
        const first = probeTransition(check('turn', probe, { mode, ...late }), { mode, state: 'due' }, RETRY_MS);
        expect(['ended', 'retry']).toContain(first.kind);
        const second = probeTransition(
          check('retry', probe, { mode, ...late }),
          { mode, state: 'greylisted' },
          RETRY_MS,
        );
        expect(second.kind).toBe('ended');
      }
    }
  });
});
