import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A list fetched at run time, shared by all processes, and the result of its last fetch. Rows are never deleted. */
@Entity('refreshed_lists')
export class RefreshedListEntity {
  @PrimaryColumn({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' })
  name!: string;

  /** Changes with the content: tells a process whether its copy is current. */
  @Column({ type: 'int', unsigned: true })
  version!: number;

  @Column({ type: 'int', unsigned: true })
  entries!: number;

  /** One entry per line, compressed with gzip; null: only the shipped list is in force. */
  @Column({ type: 'mediumblob', nullable: true })
  content!: Buffer | null;

  /** SHA-256 of the entries. */
  @Column({ type: 'binary', length: 32, nullable: true })
  contentHash!: Buffer | null;

  /** SHA-256 of the URL of the content. */
  @Column({ type: 'binary', length: 32, nullable: true })
  contentSource!: Buffer | null;

  /** The last URL tried, for operators: without the query, which may contain a token. */
  @Column({ type: 'varchar', length: 300 })
  source!: string;

  /** SHA-256 of the last URL tried. */
  @Column({ type: 'binary', length: 32 })
  sourceHash!: Buffer;

  /** Entity tag of the list in force; null: fetch the whole list. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  etag!: string | null;

  /** When the content last changed. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  changedAt!: Date | null;

  /** When the source last had this content. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  confirmedAt!: Date | null;

  /** When it was last requested. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  triedAt!: Date | null;

  /** When and why it was last refused. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  refusedAt!: Date | null;

  @Column({ type: 'varchar', length: 300, nullable: true })
  refusal!: string | null;
}
