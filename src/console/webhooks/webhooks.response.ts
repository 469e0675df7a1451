import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import { EVENT_TYPES, TEST_EVENT, type SentType } from '../../webhooks/event-type.js';
import { WebhookResponse } from '../../webhooks/webhook.response.js';
import { COUNT, TIME_OR_NULL } from '../../platform/openapi/field-schemas.js';

const DISABLED_BY = ['person', 'gone', 'failing'] as const;
const STATES = ['due', 'delivered', 'failed'] as const;

@ApiSchema({ name: 'WebhookEndpoint', description: 'An endpoint, without its secret.' })
export class WebhookEndpoint extends WebhookResponse {
  @ApiProperty({ ...TIME_OR_NULL, description: 'Since when no delivery has arrived. Null: the last one did.' })
  readonly failing_since!: string | null;

  @ApiProperty({
    type: 'string',
    enum: [...DISABLED_BY, null],
    nullable: true,
    description: '`gone`: the receiver answered 410. `failing`: five days of failures. Null: it is on.',
  })
  readonly disabled_by!: (typeof DISABLED_BY)[number] | null;
}

export class WebhookEndpointList {
  @ApiProperty({ type: WebhookEndpoint, isArray: true, description: 'Of live and test keys, oldest first.' })
  readonly webhooks!: readonly WebhookEndpoint[];
}

export class NewWebhookEndpoint extends WebhookEndpoint {
  @ApiProperty({ description: 'Verifies signatures. It is shown here and never again.' })
  readonly secret!: string;
}

/** A delivery as lists show it: nothing that could contain an address. */
@ApiSchema({ name: 'WebhookDelivery' })
export class WebhookDelivery {
  @ApiProperty({ format: 'uuid', description: 'The `webhook-id` of every attempt.' })
  readonly id!: string;

  @ApiProperty({ enum: [...EVENT_TYPES, TEST_EVENT] })
  readonly type!: SentType;

  @ApiProperty({ enum: STATES, description: '`due`: an attempt is under way or follows.' })
  readonly state!: (typeof STATES)[number];

  @ApiProperty(COUNT)
  readonly attempts!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'HTTP status of the last attempt. Null: no answer.' })
  readonly status!: number | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Why the last attempt had no answer.' })
  readonly fault!: string | null;

  @ApiProperty({ type: 'integer', minimum: 0, nullable: true, description: 'Of the last attempt, in milliseconds.' })
  readonly took_ms!: number | null;

  @ApiProperty({ format: 'date-time' })
  readonly created_at!: string;

  @ApiProperty({ ...TIME_OR_NULL, description: 'The last attempt.' })
  readonly attempted_at!: string | null;

  @ApiProperty({ ...TIME_OR_NULL, description: 'The next attempt. Null: there is none.' })
  readonly due_at!: string | null;

  @ApiProperty({ description: 'What was sent is erased: it cannot be opened or sent again.' })
  readonly erased!: boolean;
}

export class WebhookDeliveryPage {
  @ApiProperty({ type: WebhookDelivery, isArray: true, description: 'Newest first.' })
  readonly deliveries!: readonly WebhookDelivery[];

  @ApiProperty({ type: 'string', nullable: true, description: '`cursor` of the next page; null: this is the last.' })
  readonly next!: string | null;
}

@ApiSchema({ name: 'OpenedWebhookDelivery', description: 'May contain addresses.' })
export class OpenedWebhookDelivery extends WebhookDelivery {
  @ApiProperty({ type: 'string', nullable: true, description: 'The body that is sent. Null: it is erased.' })
  readonly body!: string | null;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The beginning of the last answer. Null: there was none.',
  })
  readonly answer!: string | null;
}

export class TestDelivery {
  @ApiProperty({ format: 'uuid' })
  readonly delivery_id!: string;
}
