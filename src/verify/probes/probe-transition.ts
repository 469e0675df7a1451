import type { Check, CheckFacts } from '../../engine/check.js';
import { defersMailbox } from '../../engine/verdict/verdict.js';
import type { ProbeMode } from './pending-probe.js';

/** A probe of the address that has not ended. */
export interface ActiveProbe {
  readonly mode: ProbeMode;
  readonly state: 'due' | 'greylisted';
}

/** A check that came to facts. */
export interface FinishedCheck extends Pick<Check, 'mode' | 'deferred' | 'facts'> {
  /** `turn` and `retry`: the worker's, of a probe that was due or greylisted; `call`: one that a caller waited for. */
  readonly by: 'turn' | 'retry' | 'call';
  /** It was cut by its deadline. */
  readonly deadlinePassed: boolean;
  /** A random recipient, which was not asked about, could change what the facts come to. */
  readonly deeperCouldTell: boolean;
}

/**
 * What becomes of the pending probe of an address.
 * - `none`: there is none, and none is needed.
 * - `ended`: it has its verdict.
 * - `kept`: it goes on as it was.
 * - `goes_on`: it is due, whether or not there was one before.
 * - `retry`: it is asked about once more, by the same way out.
 */
export type ProbeTransition =
  | { readonly kind: 'none' | 'ended' | 'kept' | 'goes_on' }
  | { readonly kind: 'retry'; readonly afterMs: number; readonly egress: string | null };

/** decisions 6.5 */
const LONGEST_RETRY_MS = 3_600_000;
/** Hosts name whole seconds and count from their own clock. */
const NAMED_DELAY_SLACK_MS = 1000;

/**
 * The rules by which a check ends a pending probe, or begins one. Whatever they say is bounded: a greylisted address has one
 * retry, a check that was cut goes on once, with the worker's longer deadline, and only a deeper check keeps a probe.
 * @param greylistRetryMs where the host names no delay; 0: no retry at all
 */
export function probeTransition(
  check: FinishedCheck,
  probe: ActiveProbe | null,
  greylistRetryMs: number,
): ProbeTransition {
  if (leavesProbeOpen(check)) return { kind: probe === null ? 'none' : 'kept' };
  const { probe: found } = check.facts;
  if (found !== null && defersMailbox(found) && greylistRetryMs > 0) {
    if (probe?.state !== 'greylisted') {
      return { kind: 'retry', afterMs: delayOf(found.retryAfterSeconds, greylistRetryMs), egress: found.egress };
    }
    // Whoever else asked meanwhile: the retry is still to come.
    return { kind: check.by === 'retry' ? 'ended' : 'kept' };
  }
  if (check.by === 'call' && wasCutShort(check)) return { kind: 'goes_on' };
  if (probe === null) return { kind: 'none' };
  const wantsMore = probe.mode === 'enhanced' && check.mode === 'standard' && check.deeperCouldTell;
  return { kind: wantsMore ? 'kept' : 'ended' };
}

/** A check that was not meant to ask a mail host says nothing about a probe. */
function leavesProbeOpen({ mode, deferred, facts }: FinishedCheck): boolean {
  return facts.mailHosts?.kind === 'found' && facts.probe === null && (deferred || mode === 'quick');
}

/** The deadline passed before anybody answered: with more time the verdict may be another one. */
function wasCutShort({ deadlinePassed, facts }: FinishedCheck): boolean {
  return deadlinePassed && isSilent(facts);
}

function isSilent({ mailHosts, probe }: CheckFacts): boolean {
  if (mailHosts?.kind === 'broken') return true;
  return probe !== null && probe.ending !== 'reply' && probe.ending !== 'backed_off';
}

function delayOf(namedSeconds: number | null, usualMs: number): number {
  if (namedSeconds === null) return usualMs;
  return Math.min(namedSeconds * 1000 + NAMED_DELAY_SLACK_MS, LONGEST_RETRY_MS);
}
