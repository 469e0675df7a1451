import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How many remote decisions the guards of an account were given in a month (decisions 9.3). */
@Entity('decision_counts')
export class DecisionCountEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** UTC calendar month, as 202611. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  month!: number;

  /** Never more than the plan allowed at the moment the last one was counted. */
  @Column({ type: 'int', unsigned: true })
  used!: number;
}
