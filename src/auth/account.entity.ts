import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { PlanEntity } from './plan.entity.js';

/** Who is served and billed. Times are UTC, written by the statements: never by a column's default, which goes by the session's zone. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Index('accounts_plan')
  @ForeignKey(() => PlanEntity, { name: 'accounts_plan_exists' })
  @Column({ type: 'varchar', length: 32 })
  plan!: string;

  /** Set: none of its keys is in force. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  suspendedAt!: Date | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
