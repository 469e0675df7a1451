import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Outcomes of a chunk's entries that were stored together. The entries themselves are not written. */
@Entity('job_outcomes')
export class JobOutcomesEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  jobId!: Buffer;

  @PrimaryColumn({ type: 'int', unsigned: true })
  chunk!: number;

  /** Position of one of the entries: each has one outcome, so no other row has it. */
  @PrimaryColumn({ type: 'int', unsigned: true })
  position!: number;

  /** A line for each outcome. See `joinOutcomes`. */
  @Column({ type: 'mediumtext', charset: 'utf8mb4', collation: 'utf8mb4_bin' })
  outcomes!: string;
}
