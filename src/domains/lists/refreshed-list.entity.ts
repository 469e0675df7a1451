import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A list that was fetched at run time, as every process uses it, and what came of fetching it. Rows are never deleted. */
@Entity('refreshed_lists')
export class RefreshedListEntity {
  @PrimaryColumn({ type: 'varchar', length: 32, charset: 'ascii', collation: 'ascii_bin' })
  name!: string;

  /** Another one whenever the content is: it tells a process whether it is up to date. */
  @Column({ type: 'int', unsigned: true })
  version!: number;

  @Column({ type: 'int', unsigned: true })
  entries!: number;

  /** An entry a line, compressed with gzip; null: nothing is in force beside the shipped list. */
  @Column({ type: 'mediumblob', nullable: true })
  content!: Buffer | null;

  /** SHA-256 of the entries. */
  @Column({ type: 'binary', length: 32, nullable: true })
  contentHash!: Buffer | null;

  /** SHA-256 of the URL that it came from. */
  @Column({ type: 'binary', length: 32, nullable: true })
  contentSource!: Buffer | null;

  /** Where it was last asked for, for people: without a query, which may hold a token. */
  @Column({ type: 'varchar', length: 300 })
  source!: string;

  /** SHA-256 of that URL. */
  @Column({ type: 'binary', length: 32 })
  sourceHash!: Buffer;

  /** Of what is in force; null: to be fetched whole. */
  @Column({ type: 'varchar', length: 255, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  etag!: string | null;

  /** When the content became another one. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  changedAt!: Date | null;

  /** When the source last had it. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  confirmedAt!: Date | null;

  /** When it was last asked for. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  triedAt!: Date | null;

  /** When it was last not taken, and why. */
  @Column({ type: 'datetime', precision: 3, nullable: true })
  refusedAt!: Date | null;

  @Column({ type: 'varchar', length: 300, nullable: true })
  refusal!: string | null;
}
