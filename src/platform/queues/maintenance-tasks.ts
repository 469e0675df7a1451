import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { MaintenanceTask } from './maintenance-task.js';

/** The maintenance tasks of all modules in a process, by name. */
@Injectable()
export class MaintenanceTasks implements OnModuleInit {
  private readonly tasks = new Map<string, MaintenanceTask>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** @throws Error when two tasks have one name */
  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (!(instance instanceof MaintenanceTask)) continue;
      if (this.tasks.has(instance.name)) throw new Error(`two maintenance tasks have one name: ${instance.name}`);
      this.tasks.set(instance.name, instance);
    }
  }

  get(name: string): MaintenanceTask | undefined {
    return this.tasks.get(name);
  }

  list(): readonly MaintenanceTask[] {
    return [...this.tasks.values()];
  }
}
