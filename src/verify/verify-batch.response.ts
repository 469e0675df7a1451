import { ApiExtraModels, ApiProperty, ApiSchema, getSchemaPath } from '@nestjs/swagger';
import { VerifyResult } from './verify.response.js';

/** The entry error codes of the contract. */
const ENTRY_ERRORS = ['invalid_email', 'insufficient_credits', 'verify_unavailable'] as const;

@ApiSchema({ description: 'Stands in place of a result.' })
export class EntryError {
  @ApiProperty({ type: 'string', nullable: true, description: 'As it was sent; null when it was no text.' })
  readonly email!: string | null;

  @ApiProperty({
    enum: ENTRY_ERRORS,
    description: 'Why there is no result. `insufficient_credits` in batches only.',
  })
  readonly error!: (typeof ENTRY_ERRORS)[number];
}

export type BatchEntry = VerifyResult | EntryError;

/** Documents `BatchEntry`, which has no class of its own. */
export const ENTRY_SCHEMA = {
  oneOf: [{ $ref: getSchemaPath(VerifyResult) }, { $ref: getSchemaPath(EntryError) }],
  description: 'A result, or why there is none: `error` is there only without a result, `result` only with one.',
};
export const ENTRY = { $ref: getSchemaPath('Entry') };

@ApiExtraModels(VerifyResult, EntryError)
@ApiSchema({ description: 'Results of a batch.' })
export class BatchResults {
  @ApiProperty({ type: 'array', items: ENTRY, minItems: 1, maxItems: 100, description: 'In the order sent.' })
  readonly results!: readonly BatchEntry[];
}
