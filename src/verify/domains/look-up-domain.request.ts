import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { MaxCharacters } from '../../platform/validation/max-characters.js';

/** Characters of a domain name, written without A-labels or with them. */
const MAX_DOMAIN = 253;

/** Body of `POST /v1/domains/lookup`. */
@ApiRequestBody({ description: 'A domain.' })
export class LookUpDomainRequest {
  @IsString()
  @MaxCharacters(MAX_DOMAIN)
  @ApiProperty({ description: 'Such as `example.com`; never an address.' })
  domain!: string;
}
