import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { maintenanceTasksOf, type MaintenanceTask } from './maintenance-every.js';

/** The maintenance tasks of all modules in a process, by name. */
@Injectable()
export class MaintenanceTasks implements OnModuleInit {
  private readonly tasks = new Map<string, MaintenanceTask>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when two tasks have one name */
  onModuleInit(): void {
    // Modules may each have a provider of a class.
    const providers = new Map<object, object>();
    for (const { instance } of this.discovery.getProviders() as readonly { readonly instance: unknown }[]) {
      if (instance instanceof Object) providers.set(instance.constructor, instance);
    }
    for (const task of [...providers.values()].flatMap(maintenanceTasksOf)) {
      if (this.tasks.has(task.name)) throw new Error(`two maintenance tasks have one name: ${task.name}`);
      this.tasks.set(task.name, task);
    }
  }

  get(name: string): MaintenanceTask | undefined {
    return this.tasks.get(name);
  }

  list(): readonly MaintenanceTask[] {
    return [...this.tasks.values()];
  }
}
