import { Module } from '@nestjs/common';
import { ExpiredAccessRepository } from './expired-access.repository.js';
import { ExpiredAccessTask } from './expired-access.task.js';

/** The worker's background work on sessions and links. Needs `DatabaseModule`. */
@Module({ providers: [ExpiredAccessRepository, ExpiredAccessTask], exports: [ExpiredAccessTask] })
export class AccessMaintenanceModule {}
