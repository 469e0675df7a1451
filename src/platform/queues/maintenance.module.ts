import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AppSecrets } from '../config/app-secrets.js';
import { MaintenanceRunner } from './maintenance-runner.js';
import type { MaintenanceTask } from './maintenance-task.js';
import { MAINTENANCE_QUEUE } from './maintenance.queue.js';
import { QueueMetrics } from './queue-metrics.js';
import { QueueMetricsModule } from './queue-metrics.module.js';

/** Brings the runner of maintenance tasks into a worker process. Needs `MetricsModule` and `HealthModule`. */
@Module({})
export class MaintenanceModule {
  /**
   * @param modules which bring the tasks
   * @param tasks classes that the modules export
   */
  static with(modules: readonly Type[], tasks: readonly Type<MaintenanceTask>[]): DynamicModule {
    return {
      module: MaintenanceModule,
      imports: [...modules, QueueMetricsModule],
      providers: [
        {
          provide: MaintenanceRunner,
          inject: [AppSecrets, QueueMetrics, ...tasks],
          useFactory: ({ redisUrl }: AppSecrets, metrics: QueueMetrics, ...found: MaintenanceTask[]) =>
            new MaintenanceRunner(redisUrl, found, {
              onRun: (outcome, seconds) => metrics.ran(MAINTENANCE_QUEUE, outcome, seconds),
            }),
        },
      ],
    };
  }
}
