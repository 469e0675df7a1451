import { Body, Controller, Get, HttpCode, Param, Post, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { ApiErrors } from '../../platform/openapi/api-answers.js';
import { pathId } from '../path-id.js';
import { AccountRole } from '../session/access.js';
import { actorOf, consoleCallerOf } from '../session/console-caller.js';
import { CreateKeyRequest, RotateKeyRequest } from './keys.request.js';
import { Key, KeyList, NewKey, RotatedKey } from './keys.response.js';
import { KeysService } from './keys.service.js';

@Controller('console/api/accounts/:account/keys')
@ApiTags('Keys')
export class KeysController {
  constructor(private readonly service: KeysService) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listKeys', summary: 'Keys of the account, ended ones too' })
  @ApiOkResponse({ type: KeyList })
  list(@Req() request: FastifyRequest): Promise<KeyList> {
    return this.service.list(consoleCallerOf(request).account.id);
  }

  @Post()
  @HttpCode(201)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'createKey', summary: 'Make a key, which is shown once' })
  @ApiCreatedResponse({ type: NewKey })
  @ApiErrors('quota_exceeded')
  create(@Req() request: FastifyRequest, @Body() { name, mode }: CreateKeyRequest): Promise<NewKey> {
    return this.service.create(consoleCallerOf(request).account.id, name, mode, actorOf(request));
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'rotateKey', summary: 'Make a successor, and let the old key end' })
  @ApiOkResponse({ type: RotatedKey })
  @ApiErrors('conflict', 'quota_exceeded')
  rotate(
    @Req() request: FastifyRequest,
    @Param('id') id: string,
    @Body() { grace_seconds }: RotateKeyRequest,
  ): Promise<RotatedKey> {
    const { account } = consoleCallerOf(request);
    return this.service.rotate(account.id, pathId(id, 'key'), grace_seconds, actorOf(request));
  }

  @Post(':id/revoke')
  @HttpCode(200)
  @AccountRole('developer')
  @ApiOperation({ operationId: 'revokeKey', summary: 'End a key, everywhere within 5 seconds' })
  @ApiOkResponse({ type: Key })
  revoke(@Req() request: FastifyRequest, @Param('id') id: string): Promise<Key> {
    return this.service.revoke(consoleCallerOf(request).account.id, pathId(id, 'key'), actorOf(request));
  }
}
