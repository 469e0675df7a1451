import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Results of some entries of a job that stand in a row. One row of them costs the database an eighth of a row for each. */
@Entity('job_results')
export class JobResultsEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  jobId!: Buffer;

  /** Position of the first entry: a multiple of `RESULTS_TOGETHER`. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  position!: number;

  /** Number of results by verdict. */
  @Column({ type: 'json' })
  counts!: unknown;

  /** A line for each entry; it is empty where the entry has its result itself. See `joinResults`. */
  @Column({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' })
  results!: string;
}
