/**
 * Circuit breaker of an egress that fails by its own fault (its proxy, its source address). Times in milliseconds. No
 * `RedisFailover`: one failure proves nothing, and the pauses grow.
 */
export interface Circuit {
  /** Consecutive failures. */
  readonly failures: number;
  /** Other egresses are preferred until then. */
  readonly passedOverUntilMs: number;
  /** A single trial check tests the egress and has time until then. */
  readonly onTrialUntilMs: number;
}

export const SOUND: Circuit = { failures: 0, passedOverUntilMs: 0, onTrialUntilMs: 0 };

/** One failure may be transient; this many in a row mean a broken proxy. */
const ENOUGH_FAILURES = 3;
const FIRST_PAUSE_MS = 10_000;
const LONGEST_PAUSE_MS = 300_000;
const TRIAL_MS = 10_000;

export function isFailing({ failures }: Circuit): boolean {
  return failures >= ENOUGH_FAILURES;
}

export function isPassedOver({ passedOverUntilMs, onTrialUntilMs }: Circuit, nowMs: number): boolean {
  return Math.max(passedOverUntilMs, onTrialUntilMs) > nowMs;
}

/** Ignores failures of checks that began before the pause. */
export function afterFailure(circuit: Circuit, nowMs: number): Circuit {
  if (circuit.passedOverUntilMs > nowMs) return circuit;
  const failures = circuit.failures + 1;
  if (failures < ENOUGH_FAILURES) return { ...SOUND, failures };
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - ENOUGH_FAILURES));
  return { failures, passedOverUntilMs: nowMs + pauseMs, onTrialUntilMs: 0 };
}

/** An egress chosen after its pause gets one trial check; other checks wait for its result. */
export function whenChosen(circuit: Circuit, nowMs: number): Circuit {
  if (!isFailing(circuit) || isPassedOver(circuit, nowMs)) return circuit;
  return { ...circuit, onTrialUntilMs: nowMs + TRIAL_MS };
}
