import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../auth/account.entity.js';

/**
 * What an account can pay with now: the sums of its ledger rows, kept so that nobody has to add them up. Whoever moves
 * money of an account holds its row first. The row is made by the first act that needs one; without it all is 0.
 */
@Entity('account_balances')
export class AccountBalanceEntity {
  @ForeignKey(() => AccountEntity, { name: 'account_balances_account_exists' })
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** Credits. Unsigned: a statement that would take it below zero fails, whatever its author thought. */
  @Column({ type: 'bigint', unsigned: true })
  purchased!: string;

  /** Credits, spent before the purchased ones. */
  @Column({ type: 'bigint', unsigned: true })
  gifted!: string;

  /** UTC calendar month of the count beside it, as 202611; it never goes back. */
  @Column({ type: 'int', unsigned: true })
  month!: number;

  /** Free verifies used in that month. */
  @Column({ type: 'int', unsigned: true })
  freeVerifiesUsed!: number;
}
