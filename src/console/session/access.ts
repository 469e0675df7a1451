import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { FastifyContextConfig } from 'fastify';
import type { MemberRole } from '../people/role.js';

/**
 * Who may call a route of the console: a member with this role or above of the account in its path (`:account`), any signed-in
 * user, an operator, a user who has given the password and still owes the code (`half_session`), or anybody.
 */
export type Access = MemberRole | 'signed_in' | 'operator' | 'half_session' | 'anybody';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by the decorators of this file. A route of the console without it is served to nobody. */
    access?: Access;
  }
}

type Further = Omit<FastifyContextConfig, 'access'>;

/**
 * @param further route options, which a `@RouteConfig()` beside this decorator would replace
 */
export const AccountRole = (role: MemberRole, further?: Further): MethodDecorator => allow(role, further);
export const SignedIn = (further?: Further): MethodDecorator => allow('signed_in', further);
/** @public */
export const Operator = (further?: Further): MethodDecorator => allow('operator', further);
export const HalfSession = (): MethodDecorator => allow('half_session');
/** Served without a session; unlike `@PublicRoute()`, writes still have to come from our own page. */
export const Anybody = (): MethodDecorator => allow('anybody');

function allow(access: Access, further: Further = {}): MethodDecorator {
  return (_target, _name, { value: handler }: PropertyDescriptor) => {
    const before = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler as object) as object | undefined;
    Reflect.defineMetadata(FASTIFY_ROUTE_CONFIG_METADATA, { ...before, ...further, access }, handler as object);
  };
}
