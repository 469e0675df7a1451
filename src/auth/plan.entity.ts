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

  /** Stored jobs, completed ones included. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  jobsKept!: number | null;

  /** Entries of all stored jobs together. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  addressesKept!: number | null;

  /** Jobs in progress. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  jobsProcessing!: number | null;

  /** Domains per day whose first crawl the account may cause. */
  @Column({ type: 'int', unsigned: true, nullable: true })
  crawlsPerDay!: number | null;
}
