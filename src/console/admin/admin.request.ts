import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { CREDIT_KINDS, MAX_GRANT, type CreditKind } from '../../billing/credit-kind.js';
import { parseReference, REFERENCE_RULE } from '../../billing/grant-reference.js';
import { ApiRequestBody, ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { IsDisplayName } from '../../auth/is-display-name.js';
import { PageRequest } from '../page.request.js';
import { IsParsed, IsText, IsWhole } from '../../platform/validation/field-rules.js';

const MAX_PLAN_NAME = 32;

@ApiRequestQuery()
export class FindAccountsRequest extends PickType(PageRequest, ['cursor']) {
  @IsOptional()
  @IsText(100)
  @ApiProperty({ description: 'A part of the name, or an id.' })
  query?: string;
}

@ApiRequestBody({ name: 'CreateAccount', description: 'An account to make.' })
export class CreateAccountRequest {
  @IsDisplayName()
  @ApiProperty({ description: 'What people call it.' })
  name!: string;

  @IsText(MAX_PLAN_NAME)
  @ApiProperty({ description: 'Name of its plan.' })
  plan!: string;

  @IsOptional()
  @IsWhole(0, MAX_GRANT)
  @ApiProperty({ default: 0, description: 'Purchased credits to begin with.' })
  credits: number = 0;
}

@ApiRequestBody({ name: 'SetPlan', description: 'The plan of an account.' })
export class SetPlanRequest {
  @IsText(MAX_PLAN_NAME)
  @ApiProperty({ description: 'Name of the plan.' })
  plan!: string;
}

@ApiRequestBody({ name: 'GrantCredits', description: 'Credits to grant.' })
export class GrantCreditsRequest {
  @IsWhole(1, MAX_GRANT)
  @ApiProperty({ description: 'How many.' })
  credits!: number;

  @IsOptional()
  @IsIn(CREDIT_KINDS)
  @ApiProperty({ default: 'purchased', description: 'Gifted ones are spent first.' })
  kind: CreditKind = 'purchased';

  @IsParsed('isReference', parseReference, REFERENCE_RULE)
  @ApiProperty({ description: 'Such as the number of an invoice. The same one twice grants once.' })
  reference!: string;
}

@ApiRequestBody({ name: 'RetryFailed', description: 'Failed work to put back to work: one, or all of it.' })
export class RetryFailedRequest {
  @IsOptional()
  @IsBoolean()
  @ApiProperty({ default: false, description: 'Everything that failed and can be retried.' })
  all: boolean = false;

  @IsOptional()
  @IsText(64)
  @ApiProperty({ description: 'Its queue.' })
  queue?: string;

  @IsOptional()
  @IsText(255)
  @ApiProperty({ description: 'Its job.' })
  job_id?: string;
}
