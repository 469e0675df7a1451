import { ApiProperty, OmitType } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { KEY_MODES, type KeyMode } from '../../auth/api-key.js';
import { ApiRequestBody, ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { IsId } from '../../platform/validation/is-id.js';
import { CreateWebhookRequest } from '../../webhooks/create-webhook.request.js';

const MAX_PAGE = 200;

@ApiRequestBody({ name: 'CreateWebhook', description: 'A new endpoint.' })
export class CreateConsoleWebhookRequest extends OmitType(CreateWebhookRequest, ['mode']) {
  @IsIn(KEY_MODES)
  @ApiProperty({ description: 'Events of live keys, or of test keys.' })
  mode!: KeyMode;
}

@ApiRequestQuery()
export class DeliveriesRequest {
  @IsOptional()
  @IsId()
  @ApiProperty({ description: '`next` of the page before.' })
  cursor?: string;

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_PAGE)
  @ApiProperty({ default: 50, description: 'At most so many deliveries.' })
  limit: number = 50;
}
