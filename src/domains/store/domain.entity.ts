import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A requested domain, the facts from its last crawl, and the time of its next one (decisions 8.1). */
@Entity('domains')
export class DomainEntity {
  /** Lowercase A-labels. */
  @PrimaryColumn({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  domain!: string;

  /** `DomainFacts` without the name; null until crawled. */
  @Column({ type: 'json', nullable: true })
  facts!: unknown;

  /** The score by the lists of that day, with the version of the formula. Results compute it anew. */
  @Column({ type: 'json', nullable: true })
  judgement!: unknown;

  /** Comma-separated parts to retry. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin', default: '' })
  openParts!: string;

  /** Consecutive runs that left parts open. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  attempts!: number;

  /** Consecutive runs without an outcome: their processes died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  /** Accurate to the day: each process updates it once a day. */
  @Index('domains_asked')
  @Column({ type: 'datetime', precision: 3 })
  askedAt!: Date;

  /** When all parts were last queried. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  crawledAt!: Date | null;

  /** Earliest time of the next crawl; null: sleeps until the next request. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  dueAt!: Date | null;

  /** When to queue it again, in case Redis has lost its job. */
  @Index('domains_queue')
  @Column({ type: 'datetime', precision: 3, nullable: true })
  queueAt!: Date | null;
}
