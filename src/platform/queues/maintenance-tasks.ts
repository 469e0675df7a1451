import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { MaintenanceTask } from './maintenance-task.js';
import { purgeTasksOf } from './purge-every.js';

/** The maintenance tasks of all modules in a process, by name. */
@Injectable()
export class MaintenanceTasks implements OnModuleInit {
  private readonly tasks = new Map<string, MaintenanceTask>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when two tasks have one name */
  onModuleInit(): void {
    // Modules may each have a provider of a class with purges.
    const purging = new Map<object, object>();
    for (const { instance } of this.discovery.getProviders() as readonly { readonly instance: unknown }[]) {
      if (instance instanceof MaintenanceTask) this.add(instance);
      else if (instance instanceof Object) purging.set(instance.constructor, instance);
    }
    for (const provider of purging.values()) for (const task of purgeTasksOf(provider)) this.add(task);
  }

  private add(task: MaintenanceTask): void {
    if (this.tasks.has(task.name)) throw new Error(`two maintenance tasks have one name: ${task.name}`);
    this.tasks.set(task.name, task);
  }

  get(name: string): MaintenanceTask | undefined {
    return this.tasks.get(name);
  }

  list(): readonly MaintenanceTask[] {
    return [...this.tasks.values()];
  }
}
