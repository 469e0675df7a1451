import { Deadline } from '../engine/deadline.js';
import { NOTHING_KNOWN } from '../engine/domain-knowledge.js';
import type { Trace } from '../engine/trace.js';
import type { Mode } from '../engine/verdict/result.js';
import type { RunningEngine } from './engine/create-engine.js';
import { judge } from './lookup/judge.js';
import { verifyUnavailable } from './verify-unavailable.js';
import type { VerifyResult } from './verify.response.js';

export interface VerifyOptions {
  readonly mode: Mode;
  /** Whole budget of the check, milliseconds. */
  readonly deadlineMs: number;
  readonly trace?: Trace | undefined;
}

/**
 * Checks one address with an engine alone, without caches or stores, for the operator command.
 * @throws AppError `verify_unavailable` when a failure on our side left the check without a verdict
 */
export async function verifyWith(
  { engine, knowledge, egress }: Pick<RunningEngine, 'engine' | 'knowledge' | 'egress'>,
  email: string,
  { mode, deadlineMs, trace }: VerifyOptions,
): Promise<VerifyResult> {
  const deadline = Deadline.after(deadlineMs);
  try {
    const outcome = await engine.check(email, { mode, deadline, trace });
    if (outcome.kind === 'unavailable') {
      const egressClosed = egress.states.every(({ port }) => port === 'closed');
      throw verifyUnavailable(outcome.why, { egressClosed });
    }
    return judge(outcome.check, knowledge, NOTHING_KNOWN, 'fresh').result;
  } finally {
    deadline.release();
  }
}
