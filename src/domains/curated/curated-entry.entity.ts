import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CURATED_KINDS, type CuratedKind } from './curated-kind.js';

/** One entry of a list that an operator keeps. Whoever changes entries holds the list's row of `curated_versions`. */
@Entity('curated_entries')
export class CuratedEntryEntity {
  @PrimaryColumn({ type: 'enum', enum: CURATED_KINDS })
  kind!: CuratedKind;

  /** A domain or mail host in lowercase A-labels, which covers the names below it; or, of `no_probe`, a canonical CIDR. */
  @PrimaryColumn({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  entry!: string;

  /** Of `block`: the reason that results show. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  label!: string | null;

  /** For operators alone: processes that serve never read it. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  note!: string | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
