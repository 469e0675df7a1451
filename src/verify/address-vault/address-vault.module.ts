import { Logger, Module } from '@nestjs/common';
import { DEVELOPMENT_ADDRESS_KEY } from '../../platform/config/address-keys.js';
import { AppSecrets } from '../../platform/config/app-secrets.js';
import { AddressVault } from './address-vault.js';

/** Provides the process's `AddressVault`. */
@Module({
  providers: [
    {
      // Built from the configured keys.
      provide: AddressVault,
      inject: [AppSecrets],
      useFactory: ({ addressKeys }: AppSecrets) => {
        const vault = new AddressVault(addressKeys);
        if (vault.keyId === DEVELOPMENT_ADDRESS_KEY.id) {
          new Logger('AddressVault').warn(
            'addresses are hashed with a key that everybody knows: set ADDRESS_HASH_SECRET',
          );
        }
        return vault;
      },
    },
  ],
  exports: [AddressVault],
})
export class AddressVaultModule {}
