import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AccountEntity } from './account.entity.js';
import { ApiKeyGate } from './api-key.gate.js';
import { ApiKeyGuard } from './api-key.guard.js';
import { CallerDirectory } from './caller-directory.js';
import { KeyLookupRepository } from './key-lookup.repository.js';
import { KeyUsage } from './key-usage.js';
import { PlanEntity } from './plan.entity.js';

/** Exports `ApiKeyGate`, which runs before every route that is not public, and `ApiKeyGuard` for the routes. */
@Module({
  // Other entities refer to accounts.
  imports: [TypeOrmModule.forFeature([PlanEntity, AccountEntity])],
  providers: [KeyLookupRepository, KeyUsage, CallerDirectory, ApiKeyGate, ApiKeyGuard],
  exports: [ApiKeyGate, ApiKeyGuard],
})
export class AuthModule {}
