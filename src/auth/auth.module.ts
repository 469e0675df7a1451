import { Logger, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AuditEntryEntity } from '../platform/audit/audit-entry.entity.js';
import { AppConfig } from '../platform/config/app-config.js';
import { AccountEntity } from './account.entity.js';
import { ApiKeyEntity } from './api-key.entity.js';
import { ApiKeyGate } from './api-key.gate.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { ApiKeyRepository } from './api-key.repository.js';
import { ApiKeyService } from './api-key.service.js';
import { CallerDirectory } from './caller-directory.js';
import { KeyUsage } from './key-usage.js';
import { PlanEntity } from './plan.entity.js';

/** `ApiKeyGate` for the gate of a process, which stands before every route that is not public. Routes add `ApiKeyGuard`. */
@Module({
  imports: [TypeOrmModule.forFeature([PlanEntity, AccountEntity, ApiKeyEntity, AuditEntryEntity])],
  providers: [
    {
      provide: ApiKeyRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new ApiKeyRepository(dataSource),
    },
    {
      provide: KeyUsage,
      inject: [ApiKeyRepository],
      useFactory: (keys: ApiKeyRepository) => {
        const logger = new Logger('Auth');
        const onError = (error: unknown): void => logger.warn({ err: error }, 'the use of keys could not be noted');
        return new KeyUsage({ write: (keyIds) => keys.noteUse(keyIds), onError });
      },
    },
    {
      provide: ApiKeyService,
      inject: [AppConfig, ApiKeyRepository, KeyUsage],
      useFactory: ({ keys: { prefix } }: AppConfig, keys: ApiKeyRepository, usage: KeyUsage) =>
        new ApiKeyService({
          prefix,
          usage,
          directory: new CallerDirectory({ read: (hashes) => keys.findInForce(hashes) }),
        }),
    },
    ApiKeyGate,
    ApiKeyGuard,
  ],
  exports: [ApiKeyGate, ApiKeyGuard],
})
export class AuthModule {}
