import { Body, Controller, Delete, Get, Param, Patch, Post, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { pathId } from '../../platform/ids/path-id.js';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { roomFor } from '../account-room.repository.js';
import { AccountRole } from '../session/access.js';
import { OwnOrigin } from '../session/own-origin.js';
import { AddMemberRequest, SetRoleRequest } from './team.request.js';
import { AddedMemberResponse, LinkToPassOn, MemberResponse, MembersResponse } from './team.response.js';
import { TeamService } from './team.service.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AccountId, By } from '../session/console-params.js';

@Controller('console/api/accounts/:account/members')
@ApiTags('Team')
export class TeamController {
  constructor(
    private readonly service: TeamService,
    private readonly origin: OwnOrigin,
  ) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listMembers', summary: 'Members of the account, and who is invited' })
  @ApiOkResponse({ type: MembersResponse })
  async list(@AccountId() account: string): Promise<MembersResponse> {
    const [members, invitations] = await Promise.all([this.service.list(account), this.service.invitations(account)]);
    return { members, invitations };
  }

  @Post()
  @AccountRole('owner')
  @ApiOperation({ operationId: 'addMember', summary: 'A link by which somebody becomes a member' })
  @ApiAnswer(201, { type: AddedMemberResponse })
  @ApiErrors('conflict', 'quota_exceeded')
  add(
    @AccountId() account: string,
    @Body() body: AddMemberRequest,
    @By() actor: Actor,
    @Req() request: FastifyRequest,
  ): Promise<AddedMemberResponse> {
    return this.service.add(account, body, actor, this.originOf(request), roomFor('member', account));
  }

  @Post(':user/link')
  @AccountRole('owner')
  @ApiOperation({ operationId: 'renewLink', summary: 'A new link for a member who has not signed in yet' })
  @ApiAnswer(200, { type: LinkToPassOn })
  @ApiErrors('not_found', 'conflict')
  async renewLink(
    @AccountId() account: string,
    @Param('user') user: string,
    @By() actor: Actor,
    @Req() request: FastifyRequest,
  ): Promise<LinkToPassOn> {
    return { link: await this.service.renewLink(account, pathId(user, 'member'), actor, this.originOf(request)) };
  }

  @Delete(':user/invitation')
  @AccountRole('owner')
  @ApiOperation({ operationId: 'withdrawInvitation', summary: 'Withdraw the invitation of a known user' })
  @ApiAnswer(204, { description: 'The link does nothing any more.' })
  @ApiErrors('not_found')
  withdraw(@AccountId() account: string, @Param('user') user: string, @By() actor: Actor): Promise<void> {
    return this.service.withdraw(account, pathId(user, 'invitation'), actor);
  }

  @Patch(':user')
  @AccountRole('owner')
  @ApiOperation({ operationId: 'setRole', summary: 'Change the role of a member' })
  @ApiOkResponse({ type: MemberResponse })
  @ApiErrors('not_found', 'last_owner')
  setRole(
    @AccountId() account: string,
    @Param('user') user: string,
    @Body() { role }: SetRoleRequest,
    @By() actor: Actor,
  ): Promise<MemberResponse> {
    return this.service.setRole(account, pathId(user, 'member'), role, actor);
  }

  @Delete(':user')
  @AccountRole('owner')
  @ApiOperation({ operationId: 'removeMember', summary: 'Remove a member' })
  @ApiAnswer(204, { description: 'The user is no member any more.' })
  @ApiErrors('not_found', 'last_owner')
  remove(@AccountId() account: string, @Param('user') user: string, @By() actor: Actor): Promise<void> {
    return this.service.remove(account, pathId(user, 'member'), actor);
  }

  private originOf({ headers }: FastifyRequest): string {
    return this.origin.originFor(headers.host) ?? '';
  }
}
