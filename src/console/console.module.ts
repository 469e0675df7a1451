import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyEntity } from '../auth/api-key.entity.js';
import { AuthModule } from '../auth/auth.module.js';
import { AuditEntryEntity } from '../platform/audit/audit-entry.entity.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { Buckets } from '../rate-limit/buckets.js';
import { RedisBuckets } from '../rate-limit/redis-buckets.js';
import { AddressVaultModule } from '../verify/address-vault/address-vault.module.js';
import { AccountKeyRepository } from './account-key/account-key.repository.js';
import { AccountKeys } from './account-key/account-keys.js';
import { AuditController } from './audit/audit.controller.js';
import { AuditRepository } from './audit/audit.repository.js';
import { AuditService } from './audit/audit.service.js';
import { CONSOLE_ENTITIES } from './console-entities.js';
import { OidcCookie } from './oidc/oidc-cookie.js';
import { OidcUserRepository } from './oidc/oidc-user.repository.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcSignInService } from './oidc/oidc-sign-in.service.js';
import { Provider } from './oidc/provider.js';
import { OptionsController } from './options/options.controller.js';
import { PagesController } from './pages/pages.controller.js';
import { PagesService } from './pages/pages.service.js';
import { InvitationsRepository } from './people/invitations.repository.js';
import { MeController } from './people/me.controller.js';
import { MeService } from './people/me.service.js';
import { UserLinksRepository } from './people/user-links.repository.js';
import { UserRepository } from './people/user.repository.js';
import { WelcomeController } from './people/welcome.controller.js';
import { WelcomeService } from './people/welcome.service.js';
import { SecurityController } from './security/security.controller.js';
import { AccessGuard } from './session/access.guard.js';
import { OwnOrigin } from './session/own-origin.js';
import { SessionCookie } from './session/session-cookie.js';
import { SessionGate } from './session/session.gate.js';
import { SessionRepository } from './session/session.repository.js';
import { SessionsService } from './session/sessions.service.js';
import { UserRate } from './session/user-rate.js';
import { Passwords } from './sign-in/passwords.js';
import { RedisAttemptCounters } from './sign-in/redis-attempt-counters.js';
import { SecondFactor } from './sign-in/second-factor.js';
import { SecondFactorRepository } from './sign-in/second-factor.repository.js';
import { SignInAttempts } from './sign-in/sign-in-attempts.js';
import { SignInMetrics } from './sign-in/sign-in-metrics.js';
import { SignInController } from './sign-in/sign-in.controller.js';
import { SignInService } from './sign-in/sign-in.service.js';
import { TeamController } from './team/team.controller.js';
import { TeamRepository } from './team/team.repository.js';
import { TeamService } from './team/team.service.js';

/** Who asks: the session gate, and what it stands on. */
const ACCESS = [
  OwnOrigin,
  SessionCookie,
  SessionRepository,
  AccountKeyRepository,
  Buckets,
  RedisBuckets,
  AccountKeys,
  UserRate,
  SessionGate,
  { provide: RequestGate, useExisting: SessionGate },
  { provide: APP_GUARD, useClass: AccessGuard },
];
const SIGN_IN = [
  SessionsService,
  Passwords,
  RedisAttemptCounters,
  SignInAttempts,
  SignInMetrics,
  SecondFactorRepository,
  SecondFactor,
  SignInService,
  Provider,
  OidcCookie,
  OidcUserRepository,
  OidcSignInService,
];
const PEOPLE = [
  UserRepository,
  UserLinksRepository,
  InvitationsRepository,
  MeService,
  WelcomeService,
  TeamRepository,
  TeamService,
  AuditRepository,
  AuditService,
];

/**
 * The account console: its page, the session gate before every route that is not public, `AccessGuard` on all of them, and
 * people. Needs `DatabaseModule`, `RedisModule`, `HealthModule` and `Metrics`.
 */
@Module({
  imports: [
    AuthModule,
    AddressVaultModule,
    TypeOrmModule.forFeature([...CONSOLE_ENTITIES, ApiKeyEntity, AuditEntryEntity]),
  ],
  controllers: [
    OptionsController,
    SignInController,
    WelcomeController,
    MeController,
    SecurityController,
    TeamController,
    AuditController,
    OidcController,
    PagesController,
  ],
  providers: [...ACCESS, ...SIGN_IN, ...PEOPLE, PagesService],
  exports: [OwnOrigin, RequestGate, TeamService],
})
export class ConsoleModule {}
