import { Injectable } from '@nestjs/common';
import type { Delivery, Terms } from '../billing/deliveries.js';
import { priceOf, unitPrice } from '../billing/price.js';
import { parseAddress } from '../engine/address/parse-address.js';
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

export interface Verification {
  readonly result: VerifyResult;
  /** Row 7 or 8 of decisions 5.1 held before anybody was asked: that is cheaper. */
  readonly knownCatchAll: boolean;
}

/** A resolver or network of ours that failed is seldom back sooner. */
const RETRY_AFTER_SECONDS = 5;

/** Verifies one address while the caller waits. */
@Injectable()
export class VerifyService {
  constructor(private readonly host: EngineHost) {}

  /**
   * One address, for a price that the account can pay.
   * @throws AppError `insufficient_credits` before anybody is asked, and `verify_unavailable` when a failure of our own
   *   kept the check from a verdict: it costs nothing
   */
  async single(email: string, options: VerifyOptions, terms: Terms): Promise<Delivery> {
    const { mode, deadlineMs } = options;
    const began = performance.now();
    const address = { isAddress: parseAddress(email).ok, mode };
    const left = (): number => Math.max(1, deadlineMs - (performance.now() - began));
    let highest = priceOf([unitPrice({ ...address, knownCatchAll: false })]);
    if (mode === 'enhanced' && address.isAddress && !(await terms.canPay(highest))) {
      // A host that is known to accept everybody is cheaper: whether it is one, the DNS tells.
      const knownCatchAll = await this.isKnownCatchAll(email, left() / 2);
      highest = priceOf([unitPrice({ ...address, knownCatchAll })]);
    }
    await terms.admit(highest, left() / 2);
    const { result, knownCatchAll } = await verifyWith(this.host, email, { ...options, deadlineMs: left() });
    return { status: 200, body: result, price: priceOf([unitPrice({ ...address, knownCatchAll })]) };
  }

  private async isKnownCatchAll(email: string, deadlineMs: number): Promise<boolean> {
    const { engine, knowledge } = this.host;
    const deadline = Deadline.after(deadlineMs);
    try {
      const outcome = await engine.check(email, { mode: 'enhanced', deadline, deferProbe: true });
      return outcome.kind === 'checked' && assess(outcome.check, knowledge).knownCatchAll;
    } finally {
      deadline.release();
    }
  }
}

/** The same for whoever runs an engine of its own, such as the operator command. */
export async function verifyWith(
  { engine, knowledge }: Pick<RunningEngine, 'engine' | 'knowledge'>,
  email: string,
  { mode, deadlineMs, trace }: VerifyOptions,
): Promise<Verification> {
  const deadline = Deadline.after(deadlineMs);
  try {
    const outcome = await engine.check(email, { mode, deadline, trace });
    if (outcome.kind === 'unavailable') {
      throw new AppError('verify_unavailable', 'The verification could not be completed; retry.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
        cause: new Error(outcome.why),
      });
    }
    const assessment = assess(outcome.check, knowledge);
    // Not by this check's own probe: what that finds out makes the next one cheaper.
    return { result: toVerifyResult(assessment, 'fresh'), knownCatchAll: assessment.knownCatchAll };
  } finally {
    deadline.release();
  }
}
