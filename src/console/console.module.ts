import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyEntity } from '../auth/api-key.entity.js';
import { AuthModule } from '../auth/auth.module.js';
import { AuditEntryEntity } from '../platform/audit/audit-entry.entity.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { BucketsModule } from '../rate-limit/buckets.module.js';
import { AccountKeyRepository } from './account-key/account-key.repository.js';
import { AccountKeys } from './account-key/account-keys.js';
import { OptionsController } from './options/options.controller.js';
import { CONSOLE_ENTITIES } from './console-entities.js';
import { MeController } from './people/me.controller.js';
import { MeService } from './people/me.service.js';
import { UserRepository } from './people/user.repository.js';
import { AccessGuard } from './session/access.guard.js';
import { OwnOrigin } from './session/own-origin.js';
import { SessionCookie } from './session/session-cookie.js';
import { SessionGate } from './session/session.gate.js';
import { SessionRepository } from './session/session.repository.js';

/**
 * The account console: the session gate before every route that is not public, `AccessGuard` on all of them, and people.
 * Needs `DatabaseModule`, `RedisModule`, `HealthModule` and `Metrics`.
 */
@Module({
  imports: [AuthModule, BucketsModule, TypeOrmModule.forFeature([...CONSOLE_ENTITIES, ApiKeyEntity, AuditEntryEntity])],
  controllers: [OptionsController, MeController],
  providers: [
    OwnOrigin,
    SessionCookie,
    SessionRepository,
    AccountKeyRepository,
    AccountKeys,
    SessionGate,
    { provide: RequestGate, useExisting: SessionGate },
    { provide: APP_GUARD, useClass: AccessGuard },
    UserRepository,
    MeService,
  ],
  exports: [RequestGate],
})
export class ConsoleModule {}
