import { Module } from '@nestjs/common';
import { OldDeliveriesRepository } from './old-deliveries.repository.js';
import { OldDeliveriesTask } from './old-deliveries.task.js';

/** The worker's background work on webhooks. Needs `DatabaseModule`. */
@Module({ providers: [OldDeliveriesRepository, OldDeliveriesTask], exports: [OldDeliveriesTask] })
export class WebhooksMaintenanceModule {}
