import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * A part of a charge that waits on a pending probe; inserted with the charge, deleted when the probe has ended. No
 * foreign key to the probe: a charge may be committed after its probe has ended, and its row must not be refused.
 */
@Entity('waiting_charges')
export class WaitingChargeEntity {
  /** Id of the pending probe. */
  @PrimaryColumn({ type: 'binary', length: 16 })
  waitsOn!: Buffer;

  /** Reference of the charge's ledger row. */
  @PrimaryColumn({ type: 'varchar', length: 160, charset: 'ascii', collation: 'ascii_bin' })
  reference!: string;

  /** Part of the charge: the refund's reference is `<charge>:<part>`. */
  @PrimaryColumn({ type: 'varchar', length: 40, charset: 'ascii', collation: 'ascii_bin' })
  part!: string;

  /** Price of the address, even if the allowance paid. */
  @Column({ type: 'int', unsigned: true })
  credits!: number;

  @Column({ type: 'datetime', precision: 3 })
  createdAt!: Date;

  /** Id of the request that was charged. NULL: of a release that did not store it. */
  @Column({ type: 'varchar', length: 128, charset: 'ascii', collation: 'ascii_bin', nullable: true })
  requestId!: string | null;
}
