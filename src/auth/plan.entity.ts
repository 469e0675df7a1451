import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The limits of an account. A migration makes the first plans; operators change them. NULL: unlimited. */
@Entity('plans')
export class PlanEntity {
  @PrimaryColumn({ type: 'varchar', length: 32 })
  name!: string;

  @Column({ type: 'int', unsigned: true })
  requestsPerMinute!: number;

  @Column({ type: 'int', unsigned: true, nullable: true })
  freeVerifiesPerMonth!: number | null;

  @Column({ type: 'int', unsigned: true, nullable: true })
  guardDecisionsPerMonth!: number | null;

  @Column({ type: 'int', unsigned: true, nullable: true })
  jobsKept!: number | null;

  @Column({ type: 'int', unsigned: true, nullable: true })
  addressesKept!: number | null;

  @Column({ type: 'int', unsigned: true, nullable: true })
  jobsProcessing!: number | null;

  @Column({ type: 'int', unsigned: true, nullable: true })
  crawlsPerDay!: number | null;
}
