import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../auth/account.entity.js';

/**
 * The funds of an account: the sums of its ledger rows, precomputed. Every transaction that moves the account's
 * money locks this row first. The first such transaction inserts it; without a row all figures are 0.
 */
@Entity('account_balances')
export class AccountBalanceEntity {
  @ForeignKey(() => AccountEntity, { name: 'account_balances_account_exists' })
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** Credits. Unsigned: a statement that would make it negative fails. */
  @Column({ type: 'bigint', unsigned: true })
  purchased!: string;

  /** Credits, spent before purchased ones. */
  @Column({ type: 'bigint', unsigned: true })
  gifted!: string;

  /** UTC calendar month of `free_verifies_used`, as 202611; never goes back. */
  @Column({ type: 'int', unsigned: true })
  month!: number;

  /** Free verifies used in that month. */
  @Column({ type: 'int', unsigned: true })
  freeVerifiesUsed!: number;
}
