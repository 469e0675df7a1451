import { RouteConfig } from '@nestjs/platform-fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True on routes that need no key: the gate is not asked. */
    publicRoute?: boolean;
  }
}

/** Marks a controller method as open to everybody: health, documentation. Everything else passes the gate. */
export const PublicRoute = (): MethodDecorator => RouteConfig({ publicRoute: true });
