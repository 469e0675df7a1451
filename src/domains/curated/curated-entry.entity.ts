import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CURATED_KINDS, type CuratedKind } from './curated-kind.js';

/** An entry of an operator's list. Transactions that change entries lock the list's row of `curated_versions`. */
@Entity('curated_entries')
export class CuratedEntryEntity {
  @PrimaryColumn({ type: 'enum', enum: CURATED_KINDS })
  kind!: CuratedKind;

  /** A domain or mail host in lowercase A-labels, which covers its subdomains; or, in `no_probe`, a canonical CIDR. */
  @PrimaryColumn({ type: 'varchar', length: 253, charset: 'ascii', collation: 'ascii_bin' })
  entry!: string;

  /** For `block`: the reason shown in results. */
  @Column({ type: 'varchar', length: 100, nullable: true })
  label!: string | null;

  /** For operators only: serving processes never read it. */
  @Column({ type: 'varchar', length: 500, nullable: true })
  note!: string | null;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
