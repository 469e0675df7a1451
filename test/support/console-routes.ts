import { RequestMethod } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { Access } from '../../src/console/session/access.js';

/** Every route of the console's API, and the least role that may call it. */
export const CONSOLE_API: Readonly<Record<string, Access>> = {
  'GET /console/api/options': 'anybody',
  'POST /console/api/sign-in': 'anybody',
  'POST /console/api/sign-in/code': 'half_session',
  'POST /console/api/sign-out': 'signed_in',
  'POST /console/api/welcome/read': 'anybody',
  'POST /console/api/welcome': 'anybody',
  'POST /console/api/welcome/join': 'signed_in',
  'GET /console/api/me': 'signed_in',
  'PATCH /console/api/me': 'signed_in',
  'POST /console/api/me/password': 'signed_in',
  'GET /console/api/me/sessions': 'signed_in',
  'DELETE /console/api/me/sessions/:id': 'signed_in',
  'POST /console/api/me/sessions/end-others': 'signed_in',
  'POST /console/api/me/totp': 'signed_in',
  'POST /console/api/me/totp/confirm': 'signed_in',
  'DELETE /console/api/me/totp': 'signed_in',
  'GET /console/api/accounts/:account/members': 'viewer',
  'POST /console/api/accounts/:account/members': 'owner',
  'POST /console/api/accounts/:account/members/:user/link': 'owner',
  'DELETE /console/api/accounts/:account/members/:user/invitation': 'owner',
  'PATCH /console/api/accounts/:account/members/:user': 'owner',
  'DELETE /console/api/accounts/:account/members/:user': 'owner',
  'GET /console/api/accounts/:account/audit': 'owner',
  'GET /console/api/accounts/:account/overview': 'viewer',
  'GET /console/api/accounts/:account/keys': 'viewer',
  'POST /console/api/accounts/:account/keys': 'developer',
  'POST /console/api/accounts/:account/keys/:id/rotate': 'developer',
  'POST /console/api/accounts/:account/keys/:id/revoke': 'developer',
  'GET /console/api/accounts/:account/ledger': 'viewer',
  'GET /console/api/accounts/:account/ledger.csv': 'viewer',
  'GET /console/api/accounts/:account/allowance': 'viewer',
  'POST /console/api/accounts/:account/verify': 'member',
  'GET /console/api/accounts/:account/domains/:domain': 'viewer',
  'POST /console/api/accounts/:account/domains/:domain/crawl': 'member',
  'GET /console/api/accounts/:account/guard': 'viewer',
  'GET /console/api/accounts/:account/properties': 'viewer',
  'POST /console/api/accounts/:account/properties': 'developer',
  'GET /console/api/accounts/:account/webhooks': 'viewer',
  'POST /console/api/accounts/:account/webhooks': 'developer',
  'POST /console/api/accounts/:account/webhooks/:id/rotate': 'developer',
  'POST /console/api/accounts/:account/webhooks/:id/enable': 'developer',
  'POST /console/api/accounts/:account/webhooks/:id/disable': 'developer',
  'DELETE /console/api/accounts/:account/webhooks/:id': 'developer',
  'POST /console/api/accounts/:account/webhooks/:id/test': 'developer',
  'GET /console/api/accounts/:account/webhooks/:id/deliveries': 'viewer',
  'GET /console/api/accounts/:account/webhooks/:id/deliveries/:delivery': 'viewer',
  'POST /console/api/accounts/:account/webhooks/:id/deliveries/:delivery/resend': 'developer',
  'GET /console/api/accounts/:account/lists': 'viewer',
  'POST /console/api/accounts/:account/lists': 'member',
  'PUT /console/api/accounts/:account/lists/:id/parts/:part': 'member',
  'GET /console/api/accounts/:account/lists/:id': 'viewer',
  'GET /console/api/accounts/:account/lists/:id/events': 'viewer',
  'GET /console/api/accounts/:account/lists/:id/summary': 'viewer',
  'GET /console/api/accounts/:account/lists/:id/results': 'viewer',
  'DELETE /console/api/accounts/:account/lists/:id': 'member',
  'GET /console/api/admin/accounts': 'operator',
  'POST /console/api/admin/accounts': 'operator',
  'GET /console/api/admin/accounts/:id': 'operator',
  'POST /console/api/admin/accounts/:id/plan': 'operator',
  'POST /console/api/admin/accounts/:id/suspend': 'operator',
  'POST /console/api/admin/accounts/:id/resume': 'operator',
  'POST /console/api/admin/accounts/:id/credits': 'operator',
  'POST /console/api/admin/accounts/:id/members': 'operator',
  'GET /console/api/admin/plans': 'operator',
  'GET /console/api/admin/queues': 'operator',
  'POST /console/api/admin/queues/retry': 'operator',
  'GET /console/api/admin/system': 'operator',
  'GET /console/api/openapi.json': 'anybody',
};

/** `METHOD /path` → what its decorator says: `public`, the access, or `nothing`, which must not be. */
export function accessOfRoutes(app: NestFastifyApplication): Record<string, Access | 'public' | 'nothing'> {
  const controllers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.controllers.values()]);
  const routes = controllers.flatMap(({ metatype }) => {
    if (metatype === null || metatype === undefined) return [];
    const prototype = metatype.prototype as Record<string, object>;
    return Object.getOwnPropertyNames(prototype).flatMap((name): [string, Access | 'public' | 'nothing'][] => {
      const handler = prototype[name];
      const method: unknown = handler && Reflect.getMetadata(METHOD_METADATA, handler);
      if (handler === undefined || typeof method !== 'number') return [];
      const config = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as
        | { readonly publicRoute?: boolean; readonly access?: Access }
        | undefined;
      const [prefix, given] = [metatype, handler].map((target): unknown => Reflect.getMetadata(PATH_METADATA, target));
      const access = config?.publicRoute === true ? 'public' : (config?.access ?? 'nothing');
      return [given].flat().map((path) => {
        const whole = `${String(prefix)}/${String(path)}`.replaceAll(/^\/+|\/+$/g, '').replaceAll(/\/+/g, '/');
        return [`${RequestMethod[method]} /${whole}`, access];
      });
    });
  });
  return Object.fromEntries(routes);
}
