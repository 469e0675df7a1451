import { Injectable } from '@nestjs/common';
import { assess } from '../engine/assess.js';
import { Deadline } from '../engine/deadline.js';
import type { Trace } from '../engine/trace.js';
import type { Mode } from '../engine/verdict/result.js';
import { AppError } from '../platform/errors/app-error.js';
import { EngineHost } from './engine-host.js';
import type { RunningEngine } from './create-engine.js';
import { toVerifyResult, type VerifyResult } from './verify.response.js';

export interface VerifyOptions {
  readonly mode: Mode;
  /** Whole budget of the call, milliseconds. */
  readonly deadlineMs: number;
  readonly trace?: Trace | undefined;
}

/** A resolver or network of ours that failed is seldom back sooner. */
const RETRY_AFTER_SECONDS = 5;

/** Verifies one address while the caller waits. */
@Injectable()
export class VerifyService {
  constructor(private readonly host: EngineHost) {}

  /** @throws AppError `verify_unavailable` when a failure of our own kept the check from a verdict: it costs nothing. */
  verify(email: string, options: VerifyOptions): Promise<VerifyResult> {
    return verifyWith(this.host, email, options);
  }
}

/** The same for whoever runs an engine of its own, such as the operator command. */
export async function verifyWith(
  { engine, knowledge }: Pick<RunningEngine, 'engine' | 'knowledge'>,
  email: string,
  { mode, deadlineMs, trace }: VerifyOptions,
): Promise<VerifyResult> {
  const deadline = Deadline.after(deadlineMs);
  try {
    const outcome = await engine.check(email, { mode, deadline, trace });
    if (outcome.kind === 'unavailable') {
      throw new AppError('verify_unavailable', 'The verification could not be completed; retry.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: new Error(outcome.why),
      });
    }
    return toVerifyResult(assess(outcome.check, knowledge), 'fresh');
  } finally {
    deadline.release();
  }
}
