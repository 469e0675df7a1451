import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A part of a list that was submitted: stored and charged in one transaction with its job. */
@Entity('list_parts')
export class ListPartEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  listId!: Buffer;

  /** From 1. */
  @PrimaryColumn({ type: 'smallint', unsigned: true })
  number!: number;

  @Column({ type: 'binary', length: 16 })
  jobId!: Buffer;

  /** SHA-256 of its addresses as they came. */
  @Column({ type: 'binary', length: 32 })
  content!: Buffer;

  /** Its addresses. */
  @Column({ type: 'int', unsigned: true })
  total!: number;

  /** `PartSummary` of its results; null until somebody asks. */
  @Column({ type: 'json', nullable: true })
  summary!: unknown;
}
