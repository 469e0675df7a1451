import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { idTransformer } from '../database/id-transformer.js';

/**
 * One act of an operator or of a user of the console (decisions 2.3). Rows outlive the things they are about. Only
 * `account delete` changes them: it clears `subject`, `details` and `address`.
 */
@Entity('audit_log')
@Index('audit_log_account', ['accountId', 'id'])
export class AuditEntryEntity {
  /** UUIDv7: in the order of the acts. */
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  id!: string;

  @Column({ type: 'datetime', precision: 3 })
  at!: Date;

  /** Such as `operator:root` or `user:<id>`. */
  @Column({ type: 'varchar', length: 100 })
  actor!: string;

  /** Such as `key.create`. */
  @Column({ type: 'varchar', length: 64 })
  action!: string;

  @Column({ type: 'binary', length: 16, nullable: true, transformer: idTransformer })
  accountId!: string | null;

  /** The id or domain that the act changed; null: the account itself. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  subject!: string | null;

  /** Values that explain the act later. Never a secret. */
  @Column({ type: 'json', nullable: true })
  details!: Readonly<Record<string, string | number | boolean | null>> | null;

  /** The client's IP address; null for an act from a shell. */
  @Column({ type: 'varchar', length: 45, nullable: true })
  address!: string | null;
}
