import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AddressVaultModule } from '../address-vault/address-vault.module.js';
import { AddressVault } from '../address-vault/address-vault.js';
import { CheckCacheRepository } from './check-cache.repository.js';

/** The checks on record, and the vault that knows what they are kept under. Needs `DatabaseModule`. */
@Module({
  imports: [AddressVaultModule],
  providers: [
    {
      provide: CheckCacheRepository,
      inject: [DataSource, AddressVault],
      useFactory: (dataSource: DataSource, { keyId }: AddressVault) => new CheckCacheRepository(dataSource, keyId),
    },
  ],
  exports: [AddressVaultModule, CheckCacheRepository],
})
export class CacheModule {}
