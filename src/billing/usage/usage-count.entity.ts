import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Verdicts given to calls of a live key on a day, UTC. A process that is killed loses the counts of its last seconds. */
@Entity('usage_counts')
export class UsageCountEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  @Index('usage_counts_day')
  @PrimaryColumn({ type: 'date' })
  day!: string;

  @PrimaryColumn({ type: 'enum', enum: ['single', 'batch', 'job'] })
  endpoint!: 'single' | 'batch' | 'job';

  @PrimaryColumn({ type: 'binary', length: 16 })
  keyId!: Buffer;

  @Column({ type: 'int', unsigned: true })
  valid!: number;

  @Column({ type: 'int', unsigned: true })
  invalid!: number;

  @Column({ type: 'int', unsigned: true })
  catchAll!: number;

  @Column({ type: 'int', unsigned: true })
  disposable!: number;

  @Column({ type: 'int', unsigned: true })
  role!: number;

  @Column({ type: 'int', unsigned: true })
  unknown!: number;
}
