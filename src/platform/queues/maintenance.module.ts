import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { AppSecrets } from '../config/app-secrets.js';
import { MaintenanceRunner } from './maintenance-runner.js';
import type { MaintenanceTask } from './maintenance-task.js';

/** Brings the runner of maintenance tasks into a worker process. */
@Module({})
export class MaintenanceModule {
  /**
   * @param modules which bring the tasks
   * @param tasks classes that the modules export
   */
  static with(modules: readonly Type[], tasks: readonly Type<MaintenanceTask>[]): DynamicModule {
    return {
      module: MaintenanceModule,
      imports: [...modules],
      providers: [
        {
          provide: MaintenanceRunner,
          inject: [AppSecrets, ...tasks],
          useFactory: ({ redisUrl }: AppSecrets, ...found: MaintenanceTask[]) => new MaintenanceRunner(redisUrl, found),
        },
      ],
    };
  }
}
