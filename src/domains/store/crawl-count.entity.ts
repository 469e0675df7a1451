import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** Crawls that an account has caused on a day. */
@Entity('crawl_counts')
export class CrawlCountEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** UTC. */
  @PrimaryColumn({ type: 'date' })
  @Index('crawl_counts_day')
  day!: string;

  /** Never above the plan's limit at the time of the last count. */
  @Column({ type: 'int', unsigned: true })
  used!: number;
}
