import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { ApiAnswer, ApiErrors } from '../../platform/openapi/api-answers.js';
import { pathId } from '../../platform/ids/path-id.js';
import { AccountRole } from '../session/access.js';
import { CreateKeyRequest, RotateKeyRequest } from './keys.request.js';
import { Key, KeyList, NewKey, RotatedKey } from './keys.response.js';
import { KeysService } from './keys.service.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AccountId, By } from '../session/console-params.js';

@Controller('console/api/accounts/:account/keys')
@ApiTags('Keys')
export class KeysController {
  constructor(private readonly service: KeysService) {}

  @Get()
  @AccountRole('viewer')
  @ApiOperation({ operationId: 'listKeys', summary: 'Keys of the account, ended ones too' })
  @ApiOkResponse({ type: KeyList })
  list(@AccountId() account: string): Promise<KeyList> {
    return this.service.list(account);
  }

  @Post()
  @AccountRole('developer')
  @ApiOperation({ operationId: 'createKey', summary: 'Make a key, which is shown once' })
  @ApiAnswer(201, { type: NewKey })
  @ApiErrors('quota_exceeded')
  create(@AccountId() account: string, @Body() { name, mode }: CreateKeyRequest, @By() actor: Actor): Promise<NewKey> {
    return this.service.create(account, name, mode, actor);
  }

  @Post(':id/rotate')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'rotateKey', summary: 'Make a successor, and let the old key end' })
  @ApiAnswer(200, { type: RotatedKey })
  @ApiErrors('conflict', 'quota_exceeded')
  rotate(
    @AccountId() account: string,
    @Param('id') id: string,
    @Body() { grace_seconds }: RotateKeyRequest,
    @By() actor: Actor,
  ): Promise<RotatedKey> {
    return this.service.rotate(account, pathId(id, 'key'), grace_seconds, actor);
  }

  @Post(':id/revoke')
  @AccountRole('developer')
  @ApiOperation({ operationId: 'revokeKey', summary: 'End a key, everywhere within 5 seconds' })
  @ApiAnswer(200, { type: Key })
  revoke(@AccountId() account: string, @Param('id') id: string, @By() actor: Actor): Promise<Key> {
    return this.service.revoke(account, pathId(id, 'key'), actor);
  }
}
