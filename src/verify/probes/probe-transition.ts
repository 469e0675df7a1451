import type { Check, CheckFacts } from '../../engine/check.js';
import { defersMailbox } from '../../engine/verdict/verdict.js';
import type { ProbeMode } from './pending-probe.js';

/** The pending probe of an address. */
export interface ActiveProbe {
  readonly mode: ProbeMode;
  readonly state: 'due' | 'greylisted';
}

/** A check that produced facts. */
export interface FinishedCheck extends Pick<Check, 'mode' | 'deferred' | 'facts'> {
  /**
   * `turn` and `retry`: the worker's attempt at a probe that was due or greylisted; `call`: a check that a caller
   * waited for.
   */
  readonly by: 'turn' | 'retry' | 'call';
  /** The deadline cut it short. */
  readonly deadlinePassed: boolean;
  /** A random recipient, which was not asked for, could change the verdict. */
  readonly deeperCouldTell: boolean;
}

/**
 * The effect of a check on the pending probe of an address.
 * - `none`: there is none, and none is needed.
 * - `ended`: it has its verdict.
 * - `kept`: it goes on unchanged.
 * - `goes_on`: it is due; added if there was none.
 * - `retry`: it gets one more attempt, through the same egress.
 */
export type ProbeTransition =
  | { readonly kind: 'none' | 'ended' | 'kept' | 'goes_on' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly egress: string | null };

/** decisions 6.5 */
const LONGEST_RETRY_MS = 3_600_000;
/** Mail hosts name whole seconds by their own clock. */
const NAMED_DELAY_SLACK_MS = 1000;

/**
 * Decides whether a check ends a pending probe, keeps it or begins one. Every path is bounded: a greylisted address
 * gets one retry, a check that was cut short continues once, with the worker's longer deadline, and only a probe deeper
 * than the check is kept.
 * @param greylistRetryMs delay if the host names none; 0: no retry at all
 */
export function probeTransition(
  check: FinishedCheck,
  probe: ActiveProbe | null,
  greylistRetryMs: number,
): ProbeTransition {
  if (leavesProbeOpen(check)) return { kind: probe === null ? 'none' : 'kept' };
  // The probe of this attempt has ended meanwhile, or its account was deleted: nobody waits for another.
  if (probe === null && check.by !== 'call') return { kind: 'none' };
  const { probe: found } = check.facts;
  if (found !== null && defersMailbox(found) && greylistRetryMs > 0) {
    if (probe?.state !== 'greylisted') {
      return {
        kind: 'retry',
        afterMs: greylistDelayMs(found.retryAfterSeconds, greylistRetryMs),
        egress: found.egress,
      };
    }
    // A caller's check in between leaves the retry pending.
    return { kind: check.by === 'retry' ? 'ended' : 'kept' };
  }
  if (check.by === 'call' && wasCutShort(check)) return { kind: 'goes_on' };
  if (probe === null) return { kind: 'none' };
  const wantsMore = probe.mode === 'enhanced' && check.mode === 'standard' && check.deeperCouldTell;
  return { kind: wantsMore ? 'kept' : 'ended' };
}

/** True for a check that was not meant to ask a mail host: it does not affect a probe. */
function leavesProbeOpen({ mode, deferred, facts }: FinishedCheck): boolean {
  return facts.mailHosts?.kind === 'found' && facts.probe === null && (deferred || mode === 'quick');
}

/** The deadline passed before a mail host answered: with more time the verdict may differ. */
function wasCutShort({ deadlinePassed, facts }: FinishedCheck): boolean {
  return deadlinePassed && isSilent(facts);
}

function isSilent({ mailHosts, probe }: CheckFacts): boolean {
  if (mailHosts?.kind === 'broken') return true;
  return probe !== null && probe.ending !== 'reply' && probe.ending !== 'backed_off';
}

/** Delay before a greylisted address is retried. @param usualMs where the host names none */
export function greylistDelayMs(namedSeconds: number | null, usualMs: number): number {
  if (namedSeconds === null) return usualMs;
  return Math.min(namedSeconds * 1000 + NAMED_DELAY_SLACK_MS, LONGEST_RETRY_MS);
}
