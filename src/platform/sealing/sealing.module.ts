import { Module } from '@nestjs/common';
import { AppSecrets } from '../config/app-secrets.js';
import { TextSealer } from './text-sealer.js';

/** Provides the process's `TextSealer`. */
@Module({
  providers: [
    // Built from the configured keys.
    {
      provide: TextSealer,
      inject: [AppSecrets],
      useFactory: ({ addressKeys }: AppSecrets) => new TextSealer(addressKeys),
    },
  ],
  exports: [TextSealer],
})
export class SealingModule {}
