import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Redis } from 'ioredis';
import { getMetadataArgsStorage } from 'typeorm';
import { loadConfig } from '../platform/config/load-config.js';
import { createLog } from '../platform/logging/log.js';
import { createApi } from './api.js';
import { createConsole } from './console.js';
import { OPERATOR_ENTITIES } from './operator-entities.js';
import { createWorker } from './worker.js';

/** An application that is made, but not initialized, needs no server. */
const NOBODY = {
  DATABASE_URL: 'mysql://nobody@127.0.0.1:1/nothing',
  REDIS_URL: 'redis://127.0.0.1:1',
  SMTP_CHECK_DOMAINS: 'none',
};
const log = createLog('silent');

// An application that cannot be made closes nothing.
beforeAll(() => void jest.spyOn(Redis.prototype, 'connect').mockReturnValue(new Promise(() => undefined)));
afterAll(() => jest.restoreAllMocks());

it.each<[string, () => Promise<NestFastifyApplication>]>([
  ['API', () => createApi(loadConfig('api', NOBODY), log)],
  ['console', () => createConsole(loadConfig('console', NOBODY), log)],
  ['worker', () => createWorker(loadConfig('worker', NOBODY), log)],
])('the %s has every provider that its modules ask for', async (_, create) => {
  const app = await create();
  await expect(app.close()).resolves.toBeUndefined();
});

it('the operator command has every entity that a process has', () => {
  const nameOf = (entity: unknown): string => (entity as { readonly name: string }).name;
  const entities = getMetadataArgsStorage().tables.map(({ target }) => nameOf(target));
  expect(new Set(OPERATOR_ENTITIES.map(nameOf))).toEqual(new Set(entities));
});
