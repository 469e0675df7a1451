import type { DiscoveryService } from '@nestjs/core';
import { MaintenanceEvery } from './maintenance-every.js';
import { MaintenanceTasks } from './maintenance-tasks.js';

class First {
  @MaintenanceEvery(1, 'same')
  async run(): Promise<void> {}
}
class Second {
  @MaintenanceEvery(2, 'same')
  async run(): Promise<void> {}
}

/** The tasks of a process with these providers. */
function tasksOf(...providers: object[]): MaintenanceTasks {
  const discovery = { getProviders: () => providers.map((instance) => ({ instance })) };
  const tasks = new MaintenanceTasks(discovery as unknown as DiscoveryService);
  tasks.onModuleInit();
  return tasks;
}

it('have unique names', () => {
  expect(() => tasksOf(new First(), new Second())).toThrow(/one name/);
});

it('are those of a class once, however many modules provide it', () => {
  const tasks = tasksOf(new First(), new First(), new Date());
  expect(tasks.list().map(({ name, everyMs }) => [name, everyMs])).toEqual([['same', 1]]);
  expect(tasks.get('same')).toBe(tasks.list()[0]);
});
