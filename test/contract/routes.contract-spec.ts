import { plan } from '../factories/plan.js';
import { RequestMethod } from '@nestjs/common';
import { GUARDS_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { Caller } from '../../src/auth/caller.js';
import { loadConfig } from '../../src/platform/config/load-config.js';
import type { RequestContext } from '../../src/platform/http/request-context.js';
import { RequestGate } from '../../src/platform/http/request-gate.js';
import { createLog } from '../../src/platform/logging/log.js';
import { createApi } from '../../src/roles/api.js';
import { createWorker } from '../../src/roles/worker.js';

const HEALTH = {
  'GET /health/live': 'public',
  'GET /health/ready': 'public',
  'GET /health/startup': 'public',
};
/**
 * Every route and who may call it. `ApiKeyGuard`: behind the gate, and refused by the guard where the gate fails;
 * `RateLimitGuard` stands on all of them.
 */
const API = {
  ...HEALTH,
  'GET /': 'public',
  'GET /openapi.json': 'public',
  'GET /v1/openapi.json': 'public',
  'GET /docs': 'public',
  'GET /docs/:file': 'public',
  'GET /v1/credits': 'ApiKeyGuard',
  'POST /v1/guard/events': 'ApiKeyGuard',
  'POST /v1/credits': 'ApiKeyGuard',
  'POST /v1/domains/lookup': 'ApiKeyGuard',
  'POST /v1/verify/batch': 'ApiKeyGuard',
  'POST /v1/verify/single': 'ApiKeyGuard',
  'POST /v1/verify/jobs': 'ApiKeyGuard',
  'GET /v1/verify/jobs': 'ApiKeyGuard',
  'GET /v1/verify/jobs/:id': 'ApiKeyGuard',
  'DELETE /v1/verify/jobs/:id': 'ApiKeyGuard',
  'POST /v1/webhooks': 'ApiKeyGuard',
  'GET /v1/webhooks': 'ApiKeyGuard',
  'DELETE /v1/webhooks/:id': 'ApiKeyGuard',
};

const CALLER: Caller = {
  accountId: 'account',
  keyId: 'key',
  mode: 'live',
  plan: plan(),
};

const nobody = {
  DATABASE_URL: 'mysql://nobody@127.0.0.1:1/nothing',
  REDIS_URL: 'redis://127.0.0.1:1',
  SMTP_CHECK_DOMAINS: 'none',
};

async function withApp<T>(creating: Promise<NestFastifyApplication>, use: (app: NestFastifyApplication) => Promise<T>) {
  const app = await creating;
  try {
    await app.init();
    return await use(app);
  } finally {
    await app.close();
  }
}
const api = () => createApi(loadConfig('api', nobody), createLog('silent'));
const worker = () => createWorker(loadConfig('worker', nobody), createLog('silent'));

it('the API has exactly these routes, each public or guarded', async () => {
  expect(await withApp(api(), async (app) => accessOfRoutes(app))).toEqual(API);
});

it('the worker serves only health and metrics', async () => {
  const routes = await withApp(worker(), async (app) => accessOfRoutes(app));
  expect(routes).toEqual({ ...HEALTH, 'GET /metrics': 'public' });
});

it('exactly the routes that are not public answer 401 without a key', async () => {
  const statuses = await withApp(api(), async (app) => {
    const entries = Object.keys(API).map(async (route): Promise<[string, boolean]> => {
      const [method = '', url = ''] = route.split(' ');
      const response = await app.inject({ method: method as 'GET', url });
      return [route, response.statusCode === 401];
    });
    return Object.fromEntries(await Promise.all(entries));
  });
  expect(statuses).toEqual(
    Object.fromEntries(Object.entries(API).map(([route, access]) => [route, access !== 'public'])),
  );
});

/** What stands on a route refuses by itself, where the gate has not done its part. */
describe.each<[string, Partial<RequestContext>]>([
  ['no caller', { rateLimit: { limit: 60, remaining: 59, resetAt: 0 } }],
  ['no token', { caller: CALLER }],
])('a request to which the gate gave %s', (_, given) => {
  it('is served only by public routes', async () => {
    const statuses = await withApp(api(), async (app) => {
      jest.spyOn(app.get(RequestGate), 'admit').mockImplementation(async ({ context }) => {
        Object.assign(context, given);
      });
      const entries = Object.keys(API).map(async (route): Promise<[string, boolean]> => {
        const [method = '', url = ''] = route.split(' ');
        const response = await app.inject({ method: method as 'GET', url });
        return [route, response.statusCode === 500];
      });
      return Object.fromEntries(await Promise.all(entries));
    });
    expect(statuses).toEqual(
      Object.fromEntries(Object.entries(API).map(([route, access]) => [route, access !== 'public'])),
    );
  });
});

/** `METHOD /path` → `public`, or the guards that stand on it (`none` is what must not be). */
function accessOfRoutes(app: NestFastifyApplication): Record<string, string> {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const routes = controllers.flatMap(({ metatype }) => {
    if (metatype === null || metatype === undefined) return [];
    const prototype = metatype.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name): [string, string][] => {
      const handler = prototype[name];
      const method: unknown = handler && Reflect.getMetadata(METHOD_METADATA, handler);
      if (handler === undefined || typeof method !== 'number') return [];
      const guards = [metatype, handler].flatMap(
        (target) => (Reflect.getMetadata(GUARDS_METADATA, target) ?? []) as { readonly name: string }[],
      );
      const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as
        | { publicRoute?: boolean }
        | undefined;
      const [prefix, given] = [metatype, handler].map((target): unknown => Reflect.getMetadata(PATH_METADATA, target));
      const access = config?.publicRoute === true ? 'public' : guards.map((guard) => guard.name).join(' ') || 'none';
      const paths = [given].flat().map((path) => `${String(prefix)}/${String(path)}`);
      return paths.map((path) => [
        `${RequestMethod[method]} /${path.replaceAll(/^\/+|\/+$/g, '').replaceAll('//', '/')}`,
        access,
      ]);
    });
  });
  return Object.fromEntries(routes);
}
