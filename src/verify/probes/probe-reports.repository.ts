import { Injectable, Optional } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { WaitingChargesRepository } from '../../billing/pending-charges/waiting-charges.repository.js';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { AddressVault } from '../address-vault/address-vault.js';
import type { EndedProbe } from './ended-probe-judge.js';
import { endpointsOf, VerificationEventsRepository, type WaitingAccount } from './verification-events.repository.js';

/** The address of a probe, as stored. */
export interface SealedRow {
  address_hmac: Buffer;
  /** Null: erased. */
  sealed_address: Buffer | null;
}

/** Settles the charges that wait on probes, and tells their accounts, in the transactions that end the probes. */
@Injectable()
export class ProbeReportsRepository {
  /** @param events left out: nobody is told */
  constructor(
    private readonly dataSource: DataSource,
    private readonly vault: AddressVault,
    private readonly waiting: WaitingChargesRepository,
    @Optional() private readonly events?: VerificationEventsRepository,
  ) {}

  /** A transaction whose events are queued after the commit. */
  async transaction<T>(work: (transaction: EntityManager, report: ProbeReport) => Promise<T>): Promise<T> {
    const told: WaitingAccount[] = [];
    const done = await retriedTransaction(this.dataSource, (transaction) => {
      told.length = 0;
      return work(transaction, new ProbeReport(transaction, this.waiting, this.events, told));
    });
    if (told.length > 0) this.events?.queue(endpointsOf(told));
    return done;
  }

  /** Null: it is erased, or its key is gone. */
  emailOf({ address_hmac, sealed_address }: SealedRow): string | null {
    if (sealed_address === null) return null;
    try {
      return this.vault.open(sealed_address, address_hmac.toString('hex'));
    } catch {
      return null;
    }
  }
}

/** What one transaction settles and tells. A charge committed while it runs stays, for `LateChargesRepository`. */
export class ProbeReport {
  constructor(
    private readonly transaction: EntityManager,
    private readonly waiting: WaitingChargesRepository,
    private readonly events: VerificationEventsRepository | undefined,
    private readonly told: WaitingAccount[],
  ) {}

  /** The charges that wait have what they paid for. @param probe null: it is not known any more, so nobody is told */
  async verdict(probeId: string, probe: EndedProbe | null): Promise<void> {
    const references = await this.waiting.referencesWithin(this.transaction, probeId);
    if (probe !== null) {
      const accounts = await this.accounts(probeId, references);
      await this.events?.writeCompletedWithin(this.transaction, accounts, probe);
    }
    await this.waiting.forgetWithin(this.transaction, probeId, references);
  }

  /** Refunds the charges that wait. @returns the number of refunded parts */
  async noVerdict(probeId: string, email: string | null): Promise<number> {
    const references = await this.waiting.referencesWithin(this.transaction, probeId);
    const accounts = await this.accounts(probeId, references);
    const refunded = await this.waiting.refundWithin(this.transaction, probeId, references);
    await this.events?.writeUnavailableWithin(this.transaction, accounts, email);
    return refunded;
  }

  private async accounts(probeId: string, references: ReadonlySet<string>): Promise<readonly WaitingAccount[]> {
    if (this.events === undefined || references.size === 0) return [];
    const accounts = await this.events.waitingWithin(this.transaction, probeId, references);
    this.told.push(...accounts);
    return accounts;
  }
}
