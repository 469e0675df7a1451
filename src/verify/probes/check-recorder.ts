import { Injectable } from '@nestjs/common';
import type { Address } from '../../engine/address/address.js';
import type { Check } from '../../engine/check.js';
import { ProbeEndingsRepository } from './probe-endings.repository.js';
import { SmtpProbeProducer } from './smtp-probe.queue.js';

export interface CallCheck {
  readonly address: Address;
  /** The address, as `AddressVault.hash` gives it. */
  readonly hash: string;
  readonly check: Check;
  /** The account that waited for it. */
  readonly accountId: string;
  /** The check was cut by the call's deadline. */
  readonly deadlinePassed: boolean;
}

/** Records checks that somebody waited for, so that the next call finds them and nothing is asked twice. */
@Injectable()
export class CheckRecorder {
  constructor(
    private readonly endings: ProbeEndingsRepository,
    private readonly queue: SmtpProbeProducer,
  ) {}

  /**
   * One transaction: the facts go into the cache, what they show of the domain is kept, and a pending probe of the address
   * ends or goes on. A check that was greylisted is tried once more by the worker, and one that ran out of time goes on there.
   * @returns whether the facts stand in the cache
   * @throws what the database does; the check itself stands
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
    if (transition.kind === 'goes_on') this.queue.add([probe]);
    if (transition.kind === 'retry') this.queue.add([{ ...probe, delayMs: transition.afterMs }]);
    return stored;
  }
}
