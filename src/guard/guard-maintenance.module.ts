import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { GuardEventsRepository } from './events/guard-events.repository.js';
import { OldEventsTask } from './events/old-events.task.js';

/** What guards have done in the background, for the worker. Needs `DatabaseModule`. */
@Module({
  providers: [
    {
      provide: OldEventsTask,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => new OldEventsTask(new GuardEventsRepository(dataSource)),
    },
  ],
  exports: [OldEventsTask],
})
export class GuardMaintenanceModule {}
