import { RouteConfig } from '@nestjs/platform-fastify';
import './route-options.js';

/** Marks a controller method as open to everybody: health, documentation. Everything else passes the gate. */
export const PublicRoute = (): MethodDecorator => RouteConfig({ publicRoute: true });
