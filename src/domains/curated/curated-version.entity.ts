import { Column, Entity, PrimaryColumn } from 'typeorm';
import { CURATED_KINDS, type CuratedKind } from './curated-kind.js';

/** A number per list that changes with it, in the same transaction: three rows tell a process whether it is up to date. */
@Entity('curated_versions')
export class CuratedVersionEntity {
  @PrimaryColumn({ type: 'enum', enum: CURATED_KINDS })
  kind!: CuratedKind;

  @Column({ type: 'int', unsigned: true })
  version!: number;
}
