import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { KEY_MODES, type KeyMode } from '../auth/api-key.js';
import { ApiRequestBody } from '../platform/openapi/request-schema.js';
import { MAX_URL_LENGTH } from './endpoints/endpoint-url.js';
import { EVENT_TYPES, type EventType } from './event-type.js';
import { IsList, IsText, IsWhole } from '../platform/validation/field-rules.js';

/** Above every balance. */
const MAX_LOW = 1_000_000_000_000;

/** Body of `POST /v1/webhooks`. */
@ApiRequestBody({ description: 'A new endpoint.' })
export class CreateWebhookRequest {
  @IsText(MAX_URL_LENGTH)
  @ApiProperty({ format: 'uri', description: 'Begins with `https://`, without credentials and fragment.' })
  url!: string;

  @IsList(EVENT_TYPES.length)
  @IsIn(EVENT_TYPES, { each: true })
  @ApiProperty({ description: 'Events to send.' })
  events!: EventType[];

  @IsOptional()
  @IsIn(KEY_MODES)
  @ApiProperty({ description: 'If sent, the mode of the key.' })
  mode?: KeyMode | null;

  @IsOptional()
  @IsWhole(1, MAX_LOW)
  @ApiProperty({ description: 'Credits. `credits.low` is sent when the balance falls under it.' })
  low?: number | null;
}
