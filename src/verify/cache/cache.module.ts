import { Module } from '@nestjs/common';
import { AddressVaultModule } from '../address-vault/address-vault.module.js';
import { CheckCacheRepository } from './check-cache.repository.js';

/** The checks on record, and the vault that knows what they are kept under. Needs `DatabaseModule`. */
@Module({
  imports: [AddressVaultModule],
  providers: [CheckCacheRepository],
  exports: [AddressVaultModule, CheckCacheRepository],
})
export class CacheModule {}
