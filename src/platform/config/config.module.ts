import { Module, type DynamicModule } from '@nestjs/common';
import { AppConfig } from './app-config.js';
import { AppSecrets } from './app-secrets.js';
import type { Settings } from './load-config.js';

/** Makes `AppConfig` and `AppSecrets` injectable everywhere. */
@Module({})
export class ConfigModule {
  static forRoot({ config, secrets }: Settings): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: AppConfig, useValue: config },
        { provide: AppSecrets, useValue: secrets },
      ],
      exports: [AppConfig, AppSecrets],
    };
  }
}
