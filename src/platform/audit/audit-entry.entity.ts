import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** One act of an operator (decisions 2.3). Rows are added, never changed; they outlive what they speak of. */
@Entity('audit_log')
@Index('audit_log_account', ['accountId', 'id'])
export class AuditEntryEntity {
  /** UUIDv7: in the order of the acts. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  id!: Buffer;

  @Column({ type: 'datetime', precision: 3 })
  at!: Date;

  /** Who, such as `operator:root`. */
  @Column({ type: 'varchar', length: 100 })
  actor!: string;

  /** What, such as `key.create`. */
  @Column({ type: 'varchar', length: 64 })
  action!: string;

  /** The account it touched; null when none. */
  @Column({ type: 'binary', length: 16, nullable: true })
  accountId!: Buffer | null;

  /** What it was done to: an id or a domain; null when it is the account itself. */
  @Column({ type: 'varchar', length: 255, nullable: true })
  subject!: string | null;

  /** Values that make the act understandable later. Never a secret. */
  @Column({ type: 'json', nullable: true })
  details!: Record<string, unknown> | null;
}
