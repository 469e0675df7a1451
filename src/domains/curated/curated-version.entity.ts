import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CURATED_KINDS, type CuratedKind } from './curated-kind.js';

/**
 * A version per list, changed in the same transaction as the list: three rows tell a process whether its copy is
 * current.
 */
@Entity('curated_versions')
export class CuratedVersionEntity {
  @PrimaryColumn({ type: 'enum', enum: CURATED_KINDS })
  kind!: CuratedKind;

  @Column({ type: 'int', unsigned: true })
  version!: number;
}
