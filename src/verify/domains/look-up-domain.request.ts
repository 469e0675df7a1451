import { ApiProperty } from '@nestjs/swagger';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { IsText } from '../../platform/validation/field-rules.js';

/** Characters of a domain name, written without A-labels or with them. */
const MAX_DOMAIN = 253;

/** Body of `POST /v1/domains/lookup`. */
@ApiRequestBody({ description: 'A domain.' })
export class LookUpDomainRequest {
  @IsText(MAX_DOMAIN)
  @ApiProperty({ description: 'Such as `example.com`; never an address.' })
  domain!: string;
}
