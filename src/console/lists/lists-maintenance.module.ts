import { Module } from '@nestjs/common';
import { ExpiredListsTask } from './expired-lists.task.js';
import { ListsRepository } from './lists.repository.js';

/** The worker's upkeep of lists. Needs `DatabaseModule`. */
@Module({ providers: [ExpiredListsTask, ListsRepository], exports: [ExpiredListsTask] })
export class ListsMaintenanceModule {}
