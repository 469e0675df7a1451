import { Body, Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { pathId } from '../../platform/ids/path-id.js';
import { Operator } from '../session/access.js';
import { actorOf } from '../session/console-caller.js';
import { OwnOrigin } from '../session/own-origin.js';
import { AddMemberRequest } from '../team/team.request.js';
import { AddedMemberResponse } from '../team/team.response.js';
import { TeamService } from '../team/team.service.js';
import {
  CreateAccountRequest,
  FindAccountsRequest,
  GrantCreditsRequest,
  RetryFailedRequest,
  SetPlanRequest,
} from './admin.request.js';
import {
  AdminAccountDetail,
  AdminAccountPage,
  PlanList,
  QueuesResponse,
  RetriedResponse,
  SystemReport,
} from './admin.response.js';
import { AdminAccountsService } from './admin-accounts.service.js';
import { AdminSystemService } from './admin-system.service.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { By } from '../session/console-params.js';

/** The operator's area: nothing that the operator command cannot do, and every act in the audit log. */
@Controller('console/api/admin')
@ApiTags('Operator')
export class AdminController {
  constructor(
    private readonly accounts: AdminAccountsService,
    private readonly system: AdminSystemService,
    private readonly team: TeamService,
    private readonly origin: OwnOrigin,
  ) {}

  @Get('accounts')
  @Operator()
  @ApiOperation({ operationId: 'findAccounts', summary: 'Accounts by name or id, newest first' })
  @ApiOkResponse({ type: AdminAccountPage })
  find(@Query() query: FindAccountsRequest): Promise<AdminAccountPage> {
    return this.accounts.find(query);
  }

  @Post('accounts')
  @Operator()
  @ApiOperation({ operationId: 'createAccount', summary: 'Make an account' })
  @ApiAnswer(201, { type: AdminAccountDetail })
  create(@Body() body: CreateAccountRequest, @By() actor: Actor): Promise<AdminAccountDetail> {
    return this.accounts.create(body, actor);
  }

  @Get('accounts/:id')
  @Operator()
  @ApiOperation({ operationId: 'getAccount', summary: 'An account with its members' })
  @ApiOkResponse({ type: AdminAccountDetail })
  @ApiErrors('not_found')
  read(@Param('id') id: string): Promise<AdminAccountDetail> {
    return this.accounts.read(pathId(id, 'account'));
  }

  @Post('accounts/:id/plan')
  @Operator()
  @ApiOperation({ operationId: 'setPlan', summary: 'Move an account to another plan' })
  @ApiAnswer(200, { type: AdminAccountDetail })
  @ApiErrors('not_found')
  setPlan(@Param('id') id: string, @Body() { plan }: SetPlanRequest, @By() actor: Actor): Promise<AdminAccountDetail> {
    return this.accounts.setPlan(pathId(id, 'account'), plan, actor);
  }

  @Post('accounts/:id/suspend')
  @Operator()
  @ApiOperation({ operationId: 'suspendAccount', summary: 'Refuse all keys of an account' })
  @ApiAnswer(200, { type: AdminAccountDetail })
  @ApiErrors('not_found')
  suspend(@Param('id') id: string, @By() actor: Actor): Promise<AdminAccountDetail> {
    return this.accounts.setSuspended(pathId(id, 'account'), true, actor);
  }

  @Post('accounts/:id/resume')
  @Operator()
  @ApiOperation({ operationId: 'resumeAccount', summary: 'Let the keys of an account work again' })
  @ApiAnswer(200, { type: AdminAccountDetail })
  @ApiErrors('not_found')
  resume(@Param('id') id: string, @By() actor: Actor): Promise<AdminAccountDetail> {
    return this.accounts.setSuspended(pathId(id, 'account'), false, actor);
  }

  @Post('accounts/:id/credits')
  @Operator()
  @ApiOperation({ operationId: 'grantCredits', summary: 'Grant credits, once per reference' })
  @ApiAnswer(200, { type: AdminAccountDetail })
  @ApiErrors('not_found', 'conflict')
  grant(@Param('id') id: string, @Body() body: GrantCreditsRequest, @By() actor: Actor): Promise<AdminAccountDetail> {
    return this.accounts.grant(pathId(id, 'account'), body, actor);
  }

  @Post('accounts/:id/members')
  @Operator()
  @ApiOperation({ operationId: 'addAccountMember', summary: 'Make somebody a member of an account' })
  @ApiAnswer(201, { type: AddedMemberResponse })
  @ApiErrors('not_found', 'conflict')
  addMember(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() body: AddMemberRequest,
  ): Promise<AddedMemberResponse> {
    return this.team.add(
      pathId(id, 'account'),
      body,
      actorOf(request),
      this.origin.originFor(request.headers.host) ?? '',
    );
  }

  @Get('plans')
  @Operator()
  @ApiOperation({ operationId: 'listPlans', summary: 'Plans and their figures' })
  @ApiOkResponse({ type: PlanList })
  plans(): Promise<PlanList> {
    return this.accounts.listPlans();
  }

  @Get('queues')
  @Operator()
  @ApiOperation({ operationId: 'getQueues', summary: 'Work in the background: what waits, what failed' })
  @ApiOkResponse({ type: QueuesResponse })
  queues(): Promise<QueuesResponse> {
    return this.system.queues();
  }

  @Post('queues/retry')
  @Operator()
  @ApiOperation({ operationId: 'retryFailed', summary: 'Put failed work back to work' })
  @ApiAnswer(200, { type: RetriedResponse })
  @ApiErrors('not_found', 'conflict')
  retry(@Body() body: RetryFailedRequest, @By() actor: Actor): Promise<RetriedResponse> {
    return this.system.retry(body, actor);
  }

  @Get('system')
  @Operator()
  @ApiOperation({ operationId: 'getSystem', summary: 'Lists, ways out, back-offs and the last ledger audit' })
  @ApiOkResponse({ type: SystemReport })
  report(): Promise<SystemReport> {
    return this.system.report();
  }
}
