import { Injectable } from '@nestjs/common';
import type { Address } from '../../engine/address/address.js';
import type { Check } from '../../engine/check.js';
import { ProbeEndingsRepository } from './probe-endings.repository.js';
import { SmtpProbeProducer } from './smtp-probe.queue.js';

export interface CallCheck {
  readonly address: Address;
  /** Address hash of `AddressVault.hash`. */
  readonly hash: string;
  readonly check: Check;
  /** The account that waited for it. */
  readonly accountId: string;
  /** The call's deadline cut the check short. */
  readonly deadlinePassed: boolean;
}

/** Records checks made for a waiting caller, so that the next call finds them and no mail host is asked twice. */
@Injectable()
export class CheckRecorder {
  constructor(
    private readonly endings: ProbeEndingsRepository,
    private readonly queue: SmtpProbeProducer,
  ) {}

  /**
   * One transaction: stores the facts in the cache, updates the domain's findings, and ends or continues a pending
   * probe of the address. The worker retries a greylisted check once, and continues one that ran out of time.
   * @returns whether the facts are in the cache
   * @throws the database's error; the check stays valid
   */
  async record({ address, hash, check, accountId, deadlinePassed }: CallCheck): Promise<boolean> {
    const { mode, deferred, facts, checkedAt } = check;
    const { transition, stored } = await this.endings.record({
      by: 'call',
      address,
      hash,
      mode,
      deferred,
      facts,
      checkedAt,
      accountId,
      deadlinePassed,
    });
    const probe = { hash, urgency: 'single', accountId } as const;
    if (transition.kind === 'goes_on') this.queue.queueProbes([probe]);
    if (transition.kind === 'retry') this.queue.queueProbes([{ ...probe, delayMs: transition.afterMs }]);
    return stored;
  }
}
