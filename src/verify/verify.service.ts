import type { MeteredResponse } from '../billing/metering/metered-response.js';
import { FREE } from '../billing/price.js';
import { parseAddress } from '../engine/address/parse-address.js';
import { NOTHING_KNOWN } from '../engine/domain-knowledge.js';
import { CallTime } from './call-time.js';
import { judge, judgeCached } from './lookup/judge.js';
import type { KnownFacts } from './lookup/known-facts.js';
import { priceAt, SingleCheck, type SingleCall, type SingleCheckParts, type SingleOptions } from './single-check.js';

export interface VerifyServiceParts extends Omit<SingleCheckParts, 'inBackground'> {
  readonly facts: Pick<KnownFacts, 'lookOne'>;
}

/** Verifies one address: from its syntax, from a check on record, or by a check of its own. */
export class VerifyService {
  /** Checks that go on after their call was answered. */
  private readonly background = new Set<Promise<unknown>>();

  private readonly checkParts: SingleCheckParts;

  constructor(private readonly parts: VerifyServiceParts) {
    const inBackground = (work: Promise<unknown>): void => this.keepInMind(work);
    this.checkParts = { ...parts, inBackground };
  }

  /**
   * One address, for a price that the account can pay.
   * @throws AppError `insufficient_credits` before anybody is asked, and `verify_unavailable` when a failure of our own
   *   kept the check from a verdict: it costs nothing
   */
  async single(email: string, options: SingleOptions, hold: SingleCall['hold']): Promise<MeteredResponse> {
    const { knowledge } = this.parts.host;
    const { mode } = options;
    const time = new CallTime(options.deadlineMs, options.pendingAfterMs);
    const parsed = parseAddress(email);
    if (!parsed.ok) {
      const facts = { mailHosts: null, probe: null };
      const check = { parsed, mode, deferred: false, facts, checkedAt: new Date() };
      return { status: 200, body: judge(check, knowledge, NOTHING_KNOWN, 'fresh').result, price: FREE };
    }
    const { address } = parsed;
    const known = await this.parts.facts.lookOne(address, options);
    if (known.cached === null) {
      return new SingleCheck(this.checkParts, { address, options, known, hold, time }).response();
    }
    const judged = judgeCached(known.cached, { parsed, mode }, knowledge, known.domain, 'cached_recent');
    return { status: 200, body: judged.result, price: priceAt(judged.knownCatchAll, mode) };
  }

  /** Waits until no check goes on in the background. */
  async close(): Promise<void> {
    await Promise.allSettled(this.background);
  }

  private keepInMind(work: Promise<unknown>): void {
    this.background.add(work);
    void work.catch(() => undefined).finally(() => this.background.delete(work));
  }
}
