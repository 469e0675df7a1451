import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { hexTransformer } from '../../platform/database/hex-transformer.js';
import { idTransformer } from '../../platform/database/id-transformer.js';
import { UserEntity } from '../people/user.entity.js';

/** A code that stands in once for an authentication code. The row goes when the code is used. */
@Entity('recovery_codes')
export class RecoveryCodeEntity {
  @ForeignKey(() => UserEntity, { name: 'recovery_codes_user_exists', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'binary', length: 16, transformer: idTransformer })
  userId!: string;

  @PrimaryColumn({ type: 'binary', length: 32, transformer: hexTransformer })
  codeSha256!: string;
}
