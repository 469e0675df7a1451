import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { ApiRequestBody } from '../../platform/openapi/request-schema.js';
import { MEMBER_ROLES, type MemberRole } from '../people/role.js';
import { IsText } from '../../platform/validation/field-rules.js';

@ApiRequestBody({ name: 'AddMemberRequest', description: 'Who is to be a member.' })
export class AddMemberRequest {
  @IsText(254)
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
