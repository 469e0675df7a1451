import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AccountEntity } from '../../auth/account.entity.js';

/** A site or app of an account, which its guards name in what they report. */
@Entity('properties')
export class PropertyEntity {
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Index('properties_account')
  @ForeignKey(() => AccountEntity, { name: 'properties_account_exists' })
  @Column({ type: 'binary', length: 16 })
  accountId!: Buffer;

  /** Public: it stands in the pages of the site. */
  @Index('properties_key', { unique: true })
  @Column({ type: 'varchar', length: 64, charset: 'ascii', collation: 'ascii_bin' })
  propertyKey!: string;

  @Column({ type: 'varchar', length: 100 })
  name!: string;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;
}
