import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export const LEDGER_KINDS = ['grant', 'charge', 'refund'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * One movement of credits or free verifies (decisions 4.5). Rows are added, never changed. The rows of one account have
 * ids in the order they were written, for they are written under the lock of its balance.
 *
 * No foreign key to the account: it would have every charge lock the account's own row, which operators change.
 */
@Entity('ledger_entries')
@Index('ledger_entries_account', ['accountId', 'id'])
export class LedgerEntryEntity {
  @PrimaryGeneratedColumn('increment', { type: 'bigint', unsigned: true })
  id!: string;

  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  @Column({ type: 'enum', enum: LEDGER_KINDS })
  kind!: LedgerKind;

  /** What it was for, once: `single:<id>`, `job:<id>`; a refund's is its charge's and `:<what of it>`. */
  @Index('ledger_entries_reference', { unique: true })
  @Column({ type: 'varchar', length: 160, charset: 'ascii', collation: 'ascii_bin' })
  reference!: string;

  /** The key of the call; null for an operator's act. */
  @Column({ type: 'binary', length: 16, nullable: true })
  keyId!: Buffer | null;

  /** Addresses paid for or given back. */
  @Column({ type: 'int', unsigned: true })
  addresses!: number;

  /** Credits per address, also where the allowance paid; null for a grant and where the addresses of a call differ. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  unitPrice!: number | null;

  /** Change of the purchased credits. */
  @Column({ type: 'bigint' })
  purchased!: string;

  /** Change of the gifted credits. */
  @Column({ type: 'bigint' })
  gifted!: string;

  /** Change of what is left of the month's free verifies: below zero where they paid. */
  @Column({ type: 'int' })
  freeVerifies!: number;

  /** Month of the allowance it belongs to, as 202611: of a refund, the month of its charge. */
  @Column({ type: 'int', unsigned: true })
  month!: number;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
