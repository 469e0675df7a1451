import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { TypeOrmModule } from '@nestjs/typeorm';
import { FailedJobEntity } from './failed-job.entity.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueConnection } from './queue-connection.js';

/** The one `QueueConnection` of a process, and the jobs that failed for good. Needs `DatabaseModule`. */
@Module({
  imports: [TypeOrmModule.forFeature([FailedJobEntity])],
  providers: [
    QueueConnection,
    {
      provide: FailedJobsRepository,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new FailedJobsRepository(dataSource),
    },
  ],
  exports: [QueueConnection, FailedJobsRepository],
})
export class QueuesModule {}
