import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppSecrets } from '../config/app-secrets.js';
import { dataSourceOptions } from './data-source-options.js';
import { DatabaseConnector } from './database-connector.js';
import { DatabaseHealth } from './database-health.js';
import { DatabasePool } from './database-pool.js';
import { diskOf } from './disk-space.js';
import { QueryLogger } from './query-logger.js';

/** A reply later than this fails its request as `service_unavailable`; see `mysqlDriver`. */
const SILENCE_MS = 20_000;

/**
 * The one `DataSource` of a process, injectable everywhere. Features add their entities with
 * `TypeOrmModule.forFeature([...])`. It connects after the modules are built, so constructors must not query it.
 */
@Global()
@Module({
  imports: [
    // A factory: the connection pool comes from DATABASE_URL.
    TypeOrmModule.forRootAsync({
      inject: [AppSecrets],
      useFactory: ({ database }: AppSecrets) => ({
        ...dataSourceOptions(database, SILENCE_MS),
        logger: new QueryLogger(diskOf(database)),
        autoLoadEntities: true,
        manualInitialization: true,
      }),
    }),
  ],
  providers: [DatabaseConnector, DatabaseHealth, DatabasePool],
  exports: [DatabaseHealth, DatabasePool],
})
export class DatabaseModule {}
