import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { MeteredResponse } from '../billing/metering/metered-response.js';
import { FREE } from '../billing/price.js';
import { parseAddress } from '../engine/address/parse-address.js';
import { NOTHING_KNOWN } from '../engine/domain-knowledge.js';
import { CallTime } from './call-time.js';
import { EngineProvider } from './engine/engine-provider.js';
import { judge, judgeCached } from './lookup/judge.js';
import { DnsFactsRecorder } from './lookup/dns-facts-recorder.js';
import { CheckLookupService } from './lookup/check-lookup.service.js';
import { SynchronousCheckService } from './lookup/synchronous-check.service.js';
import { AskedProbes } from './probes/asked-probes.js';
import { priceAt, SingleCheck, type SingleCall, type SingleCheckParts, type SingleOptions } from './single-check.js';

/** Verifies one address: by its syntax, from a cached check, or by a new check. */
@Injectable()
export class VerifyService implements SingleCheckParts, BeforeApplicationShutdown {
  /** Checks that go on after their call was answered. */
  private readonly background = new Set<Promise<unknown>>();

  constructor(
    readonly engineProvider: EngineProvider,
    private readonly facts: CheckLookupService,
    readonly synchronousChecks: SynchronousCheckService,
    readonly dnsFacts: DnsFactsRecorder,
    readonly probes: AskedProbes,
  ) {}

  /**
   * Verifies one address, for a price that the account can pay.
   * @throws AppError `insufficient_credits` before any mail host is asked; `verify_unavailable` when a failure on our
   *   side left the check without a verdict, which is free
   */
  async single(email: string, options: SingleOptions, hold: SingleCall['hold']): Promise<MeteredResponse> {
    const { knowledge } = this.engineProvider;
    const { mode } = options;
    const time = new CallTime(options.deadlineMs, options.pendingAfterMs);
    const parsed = parseAddress(email);
    if (!parsed.ok) {
      const facts = { mailHosts: null, probe: null };
      const check = { parsed, mode, deferred: false, facts, checkedAt: new Date() };
      return { status: 200, body: judge(check, knowledge, NOTHING_KNOWN, 'fresh').result, price: FREE };
    }
    const { address } = parsed;
    const known = await this.facts.lookUpOne(address, options, () => hold.readAhead());
    if (known.cached === null) {
      return new SingleCheck(this, { address, options, known, hold, time }).response();
    }
    const judged = judgeCached(known.cached, { parsed, mode }, knowledge, known.domain, 'cached_recent');
    return { status: 200, body: judged.result, price: priceAt(judged.knownCatchAll, mode) };
  }

  /** Waits for checks that go on after their calls were answered, before their dependencies close. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.allSettled(this.background);
  }

  trackBackgroundWork(work: Promise<unknown>): void {
    this.background.add(work);
    void work.catch(() => undefined).finally(() => this.background.delete(work));
  }
}
