import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** A domain that somebody asked for, what the crawl found out about it, and when it is crawled next (decisions 8.1). */
@Entity('domains')
export class DomainEntity {
  /** Lowercase A-labels. */
  @PrimaryColumn({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  domain!: string;

  /** `DomainFacts` without the name; null until it was crawled. */
  @Column({ type: 'json', nullable: true })
  facts!: unknown;

  /** What the lists of that day made of the facts, with the version of the score's formula. Results judge anew. */
  @Column({ type: 'json', nullable: true })
  judgement!: unknown;

  /** Comma list of the parts that are to be tried again. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin', default: '' })
  openParts!: string;

  /** Runs in a row that left something open. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  attempts!: number;

  /** Runs begun of which nothing was heard: their processes died. */
  @Column({ type: 'smallint', unsigned: true, default: 0 })
  begun!: number;

  /** To the day: each process says so once a day. */
  @Index('domains_asked')
  @Column({ type: 'datetime', precision: 3 })
  askedAt!: Date;

  /** When all parts were last asked for. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  crawledAt!: Date | null;

  /** Not to be crawled before; null: not until somebody asks for it again. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  dueAt!: Date | null;

  /** When it is put on the queue again, in case Redis has lost its job. */
  @Index('domains_queue')
  @Column({ type: 'datetime', precision: 3, nullable: true })
  queueAt!: Date | null;
}
