import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export const LEDGER_KINDS = ['grant', 'charge', 'refund'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/**
 * One movement of credits or free verifies (decisions 4.5). Rows are inserted, never updated. An account's ids are in
 * write order, since its rows are written under its balance lock.
 *
 * No foreign key to the account: every charge would then lock the account's row, which operators change.
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

  /** Subject, unique: `single:<id>`, `job:<id>`; a refund's is `<charge's reference>:<part>`. */
  @Index('ledger_entries_reference', { unique: true })
  @Column({ type: 'varchar', length: 160, charset: 'ascii', collation: 'ascii_bin' })
  reference!: string;

  /** The call's API key; null for an operator's action. */
  @Column({ type: 'binary', length: 16, nullable: true })
  keyId!: Buffer | null;

  /** Addresses charged or refunded. */
  @Column({ type: 'int', unsigned: true })
  addresses!: number;

  /** Credits per address, even if the allowance paid; null for a grant or if addresses of the call differ in price. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  unitPrice!: number | null;

  /** Change in purchased credits. */
  @Column({ type: 'bigint' })
  purchased!: string;

  /** Change in gifted credits. */
  @Column({ type: 'bigint' })
  gifted!: string;

  /** Change in the month's remaining free verifies: negative if they paid. */
  @Column({ type: 'int' })
  freeVerifies!: number;

  /** Month of the allowance, as 202611; for a refund, its charge's month. */
  @Column({ type: 'int', unsigned: true })
  month!: number;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
