import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../auth/account.entity.js';
import { idTransformer } from '../../platform/database/id-transformer.js';

/** A site or app of an account. Guards name it in their reports. */
@Entity('properties')
export class PropertyEntity {
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  id!: string;

  @Index('properties_account')
  @ForeignKey(() => AccountEntity, { name: 'properties_account_exists' })
  @Column({ type: 'binary', length: 16, transformer: idTransformer })
  accountId!: string;

  /** Public: it is in the pages of the site. */
  @Index('properties_key', { unique: true })
  @Column({ name: 'property_key', type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' })
  key!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
