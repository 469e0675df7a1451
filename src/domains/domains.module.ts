import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CatchAllRepository } from './catch-all/catch-all.repository.js';

/** What is known of domains. Needs `DatabaseModule`. */
@Module({
  providers: [
    {
      provide: CatchAllRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new CatchAllRepository(dataSource),
    },
  ],
  exports: [CatchAllRepository],
})
export class DomainsModule {}
