import { Column, Entity, PrimaryColumn } from 'typeorm';
import { LEDGER_KINDS, type LedgerKind } from '../ledger/ledger-entry.entity.js';
import { LEDGER_ENDPOINTS, type LedgerEndpoint } from './ledger-endpoint.js';

/** Sums of the ledger rows of an account's chunks, by day, kind, endpoint and key. Later rows are summed when they are read. */
@Entity('ledger_days')
export class LedgerDayEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** UTC. */
  @PrimaryColumn({ type: 'date' })
  day!: string;

  @PrimaryColumn({ type: 'enum', enum: LEDGER_KINDS })
  kind!: LedgerKind;

  @PrimaryColumn({ type: 'enum', enum: LEDGER_ENDPOINTS })
  endpoint!: LedgerEndpoint;

  /** Zeros: no key. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  keyId!: Buffer;

  /** Month of the allowance, as 202611: for refunds, their charge's. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  month!: number;

  @Column({ type: 'bigint', unsigned: true })
  addresses!: string;

  /** Change in credits of both kinds. */
  @Column({ type: 'bigint' })
  credits!: string;

  /** Change in free verifies. */
  @Column({ type: 'bigint' })
  freeVerifies!: string;
}
