import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { ApiRequestBody, ApiRequestQuery } from '../../platform/openapi/request-schema.js';
import { MaxCharacters } from '../../platform/validation/max-characters.js';
import { IsDisplayName } from '../../auth/is-display-name.js';
import { SPANS } from '../overview/overview.request.js';

@ApiRequestQuery()
export class GuardRequest {
  @IsOptional()
  @IsIn(SPANS)
  @IsInt()
  @ApiProperty({ default: 30, description: 'Days, today included.' })
  days: (typeof SPANS)[number] = 30;

  @IsOptional()
  @IsString()
  @MaxCharacters(64)
  @ApiProperty({ description: 'Site key of one property; all events of the account when left out.' })
  property?: string;
}

@ApiRequestBody({ name: 'CreateProperty', description: 'A site or app whose guards report.' })
export class CreatePropertyRequest {
  @IsString()
  @IsDisplayName()
  @ApiProperty({ description: 'What people call it.' })
  name!: string;
}
