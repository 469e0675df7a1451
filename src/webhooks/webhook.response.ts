import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { KEY_MODES, type KeyMode } from '../auth/api-key.js';
import { MAX_ENDPOINTS } from './endpoints/endpoints.repository.js';
import type { Endpoint } from './endpoints/endpoints.service.js';
import { EVENT_TYPES, type EventType } from './event-type.js';

@ApiSchema({ name: 'Webhook', description: 'An endpoint, without its secret.' })
export class WebhookResponse {
  @ApiProperty({ format: 'uuid', description: 'UUID.' })
  readonly id!: string;

  @ApiProperty({ format: 'uri', description: 'Where events are sent.' })
  readonly url!: string;

  @ApiProperty({ enum: EVENT_TYPES, isArray: true, minItems: 1, description: 'Events that are sent.' })
  readonly events!: readonly EventType[];

  @ApiProperty({ enum: KEY_MODES, description: 'Events of live keys, or of test keys.' })
  readonly mode!: KeyMode;

  @ApiProperty({
    type: 'integer',
    minimum: 1,
    nullable: true,
    description: '`credits.low` is sent when the balance falls under it; null: not at all.',
  })
  readonly low!: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When it was switched off: by a person, by a 410 of the receiver, or after five days of failures. Null: it is on.',
  })
  readonly disabled_at!: string | null;

  @ApiProperty({ format: 'date-time', description: 'UTC, ISO 8601 with milliseconds.' })
  readonly created_at!: string;
}

@ApiSchema({ name: 'NewWebhook', description: 'A new endpoint, with its secret.' })
export class NewWebhookResponse extends WebhookResponse {
  @ApiProperty({
    pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
    description: 'Verifies signatures. It is shown only here.',
  })
  readonly secret!: string;
}

@ApiSchema({ description: 'The endpoints of the account, for the mode of the key.' })
export class WebhookList {
  @ApiProperty({ type: WebhookResponse, isArray: true, maxItems: MAX_ENDPOINTS, description: 'Oldest first.' })
  readonly webhooks!: readonly WebhookResponse[];
}

export function toWebhook({ id, url, events, mode, low, disabledAt, createdAt }: Endpoint): WebhookResponse {
  return {
    id,
    url,
    events,
    mode,
    low,
    disabled_at: disabledAt?.toISOString() ?? null,
    created_at: createdAt.toISOString(),
  };
}
