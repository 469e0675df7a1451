import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { SignedIn } from '../session/access.js';
import { ChangeMeRequest } from './me.request.js';
import { MeResponse, UserResponse } from './me.response.js';
import { MeService } from './me.service.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { By, CurrentUser } from '../session/console-params.js';
import type { ConsoleUser } from '../session/console-caller.js';

@Controller('console/api/me')
@ApiTags('Me')
export class MeController {
  constructor(private readonly service: MeService) {}

  @Get()
  @SignedIn()
  @ApiOperation({ operationId: 'getMe', summary: 'Who is signed in, and the accounts they are a member of' })
  @ApiOkResponse({ type: MeResponse })
  read(@CurrentUser() user: ConsoleUser): Promise<MeResponse> {
    return this.service.read(user.id);
  }

  @Patch()
  @SignedIn()
  @ApiOperation({ operationId: 'changeMe', summary: 'Change the name' })
  @ApiOkResponse({ type: UserResponse })
  change(@CurrentUser() user: ConsoleUser, @Body() body: ChangeMeRequest, @By() actor: Actor): Promise<UserResponse> {
    return this.service.change(user.id, body, actor);
  }
}
