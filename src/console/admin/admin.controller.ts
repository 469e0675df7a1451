import { Body, Controller, Get, HttpCode, Param, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiErrors } from '../../platform/openapi/api-answers.js';
import { pathId } from '../path-id.js';
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
  @HttpCode(201)
  @Operator()
  @ApiOperation({ operationId: 'createAccount', summary: 'Make an account' })
  @ApiCreatedResponse({ type: AdminAccountDetail })
  create(@Req() request: FastifyRequest, @Body() body: CreateAccountRequest): Promise<AdminAccountDetail> {
    return this.accounts.create(body, actorOf(request));
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
  @HttpCode(200)
  @Operator()
  @ApiOperation({ operationId: 'setPlan', summary: 'Move an account to another plan' })
  @ApiOkResponse({ type: AdminAccountDetail })
  @ApiErrors('not_found')
  setPlan(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() { plan }: SetPlanRequest,
  ): Promise<AdminAccountDetail> {
    return this.accounts.setPlan(pathId(id, 'account'), plan, actorOf(request));
  }

  @Post('accounts/:id/suspend')
  @HttpCode(200)
  @Operator()
  @ApiOperation({ operationId: 'suspendAccount', summary: 'Refuse all keys of an account' })
  @ApiOkResponse({ type: AdminAccountDetail })
  @ApiErrors('not_found')
  suspend(@Req() request: FastifyRequest, @Param('id') id: string): Promise<AdminAccountDetail> {
    return this.accounts.setSuspended(pathId(id, 'account'), true, actorOf(request));
  }

  @Post('accounts/:id/resume')
  @HttpCode(200)
  @Operator()
  @ApiOperation({ operationId: 'resumeAccount', summary: 'Let the keys of an account work again' })
  @ApiOkResponse({ type: AdminAccountDetail })
  @ApiErrors('not_found')
  resume(@Req() request: FastifyRequest, @Param('id') id: string): Promise<AdminAccountDetail> {
    return this.accounts.setSuspended(pathId(id, 'account'), false, actorOf(request));
  }

  @Post('accounts/:id/credits')
  @HttpCode(200)
  @Operator()
  @ApiOperation({ operationId: 'grantCredits', summary: 'Grant credits, once per reference' })
  @ApiOkResponse({ type: AdminAccountDetail })
  @ApiErrors('not_found', 'conflict')
  grant(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() body: GrantCreditsRequest,
  ): Promise<AdminAccountDetail> {
    return this.accounts.grant(pathId(id, 'account'), body, actorOf(request));
  }

  @Post('accounts/:id/members')
  @HttpCode(201)
  @Operator()
  @ApiOperation({ operationId: 'addAccountMember', summary: 'Make somebody a member of an account' })
  @ApiCreatedResponse({ type: AddedMemberResponse })
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
  @HttpCode(200)
  @Operator()
  @ApiOperation({ operationId: 'retryFailed', summary: 'Put failed work back to work' })
  @ApiOkResponse({ type: RetriedResponse })
  @ApiErrors('not_found', 'conflict')
  retry(@Req() request: FastifyRequest, @Body() body: RetryFailedRequest): Promise<RetriedResponse> {
    return this.system.retry(body, actorOf(request));
  }

  @Get('system')
  @Operator()
  @ApiOperation({ operationId: 'getSystem', summary: 'Lists, ways out, back-offs and the last ledger audit' })
  @ApiOkResponse({ type: SystemReport })
  report(): Promise<SystemReport> {
    return this.system.report();
  }
}
