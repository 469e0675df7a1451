import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { idTransformer } from '../platform/database/id-transformer.js';
import { PlanEntity } from './plan.entity.js';

/** A customer. Statements set the times, in UTC: a column's default would use the time zone of the session. */
@Entity('accounts')
export class AccountEntity {
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  id!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Index('accounts_plan')
  @Column({ name: 'plan', type: 'varchar', length: 32 })
  planName!: string;

  @ManyToOne(() => PlanEntity)
  @JoinColumn({ name: 'plan', foreignKeyConstraintName: 'accounts_plan_exists' })
  plan!: PlanEntity;

  /** Set: none of its keys is in force. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  suspendedAt!: Date | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
