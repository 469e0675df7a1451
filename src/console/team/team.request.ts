import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsString } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { MaxCharacters } from '../../platform/validation/max-characters.js';
import { MEMBER_ROLES, type MemberRole } from '../people/role.js';

@ApiRequestBody({ name: 'AddMemberRequest', description: 'Who is to be a member.' })
export class AddMemberRequest {
  @IsString()
  @MaxCharacters(254)
  @ApiProperty({ description: 'In any case.' })
  email!: string;

  @IsIn([...MEMBER_ROLES])
  @ApiProperty({ description: 'From the least to all: viewer, member, developer, owner.' })
  role!: MemberRole;
}

@ApiRequestBody({ name: 'SetRoleRequest', description: 'The new role.' })
export class SetRoleRequest {
  @IsIn([...MEMBER_ROLES])
  @ApiProperty({ description: 'From the least to all: viewer, member, developer, owner.' })
  role!: MemberRole;
}
