import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { KEY_MODES, type KeyMode } from '../../auth/api-key.js';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { CreateWebhookRequest } from '../../webhooks/create-webhook.request.js';

@ApiRequestBody({ name: 'CreateWebhook', description: 'A new endpoint.' })
export class CreateConsoleWebhookRequest extends OmitType(CreateWebhookRequest, ['mode']) {
  @IsIn(KEY_MODES)
  @ApiProperty({ description: 'Events of live keys, or of test keys.' })
  mode!: KeyMode;
}
