import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Remote decisions given to an account's guards in a month (decisions 9.3). */
@Entity('decision_counts')
export class DecisionCountEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** UTC calendar month, as 202611. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  month!: number;

  /** Never above the plan's limit at the time of the last count. */
  @Column({ type: 'int', unsigned: true })
  used!: number;

  /** When the account was told that the quota is used up. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  exhaustedAt!: Date | null;
}
