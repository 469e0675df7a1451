import { ApiProperty } from '@nestjs/swagger';
import { KEY_MODES, type KeyMode } from '../../auth/api-key.js';
import { TIME_OR_NULL } from '../../platform/openapi/field-schemas.js';

export const KEY_STATUSES = ['active', 'expiring', 'expired', 'revoked'] as const;

/** A key, without what makes it one. */
export class Key {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ type: 'string', nullable: true })
  readonly name!: string | null;

  @ApiProperty({ enum: KEY_MODES })
  readonly mode!: KeyMode;

  @ApiProperty({ description: 'Its last four characters.' })
  readonly last_four!: string;

  @ApiProperty({ format: 'date-time' })
  readonly created_at!: string;

  @ApiProperty({ type: 'string', nullable: true, description: 'Who made it; null: nobody knows any more.' })
  readonly created_by!: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'Up to a minute late.' })
  readonly last_used_at!: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly expires_at!: string | null;

  @ApiProperty(TIME_OR_NULL)
  readonly revoked_at!: string | null;

  @ApiProperty({ type: 'string', format: 'uuid', nullable: true, description: 'The key that a rotation made.' })
  readonly replaced_by!: string | null;

  @ApiProperty({ enum: KEY_STATUSES, description: '`expiring`: it works until `expires_at`.' })
  readonly status!: (typeof KEY_STATUSES)[number];
}

export class KeyList {
  @ApiProperty({ type: Key, isArray: true, description: 'Oldest first.' })
  readonly keys!: readonly Key[];
}

export class NewKey extends Key {
  @ApiProperty({ description: 'The key. It is shown here and never again.' })
  readonly key!: string;
}

export class RotatedKey extends NewKey {
  @ApiProperty({ format: 'date-time', description: 'When the old key ends.' })
  readonly old_expires_at!: string;
}
