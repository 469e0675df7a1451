import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { MaintenanceScheduler } from './maintenance-scheduler.js';
import { MaintenanceTasks } from './maintenance-tasks.js';
import { MaintenanceProcessor } from './maintenance.processor.js';
import { QueueWorkerModule } from './queue-worker.module.js';

/** Runs the maintenance tasks of the providers in a worker process. Needs `MetricsModule` and `HealthModule`. */
@Module({
  imports: [DiscoveryModule, QueueWorkerModule],
  providers: [MaintenanceTasks, MaintenanceScheduler, MaintenanceProcessor],
})
export class MaintenanceModule {}
