import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** How many crawls an account has caused on a day. */
@Entity('crawl_counts')
export class CrawlCountEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** UTC. */
  @PrimaryColumn({ type: 'date' })
  @Index('crawl_counts_day')
  day!: string;

  /** Never more than the plan allowed at the moment the last one was counted. */
  @Column({ type: 'int', unsigned: true })
  used!: number;
}
