import { ApiProperty } from '@nestjs/swagger';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { IsList } from '../../platform/validation/field-rules.js';

/** Events of one call (decisions 1.5). */
const MAX_EVENTS = 100;

/** Body of `POST /v1/guard/events`. Each event is validated alone, as a `GuardEventRequest` (decisions 9.2). */
@ApiRequestBody({ description: 'A report.' })
export class GuardEventsRequest {
  @IsList(MAX_EVENTS)
  @ApiProperty({ items: { $ref: '#/components/schemas/GuardEvent' }, description: 'Decisions.' })
  events!: readonly unknown[];
}
