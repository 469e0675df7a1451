import { Module } from '@nestjs/common';
import { GuardEventsRepository } from './events/guard-events.repository.js';
import { OldEventsTask } from './events/old-events.task.js';

/** The worker's background work on guard events. Needs `DatabaseModule`. */
@Module({
  providers: [GuardEventsRepository, OldEventsTask],
  exports: [OldEventsTask],
})
export class GuardMaintenanceModule {}
