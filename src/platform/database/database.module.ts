import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppSecrets } from '../config/app-secrets.js';
import { dataSourceOptions } from './data-source-options.js';
import { DatabaseConnector } from './database-connector.js';
import { DatabaseHealth } from './database-health.js';
import { QueryLogger } from './query-logger.js';

/** A reply later than this fails its request as `service_unavailable`; see `mysqlDriver`. */
const SILENCE_MS = 20_000;

/**
 * The one `DataSource` of a process, injectable everywhere. Features add their entities with
 * `TypeOrmModule.forFeature([...])`. Nothing may be asked of it while a module is being built: it connects later.
 */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [AppSecrets],
      useFactory: ({ database }: AppSecrets) => ({
        ...dataSourceOptions(database, SILENCE_MS),
        logger: new QueryLogger(),
        autoLoadEntities: true,
        manualInitialization: true,
      }),
    }),
  ],
  providers: [DatabaseConnector, DatabaseHealth],
  exports: [DatabaseHealth],
})
export class DatabaseModule {}
