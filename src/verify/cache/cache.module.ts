import { Module } from '@nestjs/common';
import { AddressVaultModule } from '../address-vault/address-vault.module.js';
import { CheckCacheRepository } from './check-cache.repository.js';

/** The check cache, and the vault that hashes its keys. Needs `DatabaseModule`. */
@Module({
  imports: [AddressVaultModule],
  providers: [CheckCacheRepository],
  exports: [AddressVaultModule, CheckCacheRepository],
})
export class CacheModule {}
