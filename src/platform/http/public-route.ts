import { RouteConfig } from '@nestjs/platform-fastify';
import './route-options.js';

/** Marks a controller method as public: health, documentation. All other methods pass the gate. */
export const PublicRoute = (): MethodDecorator => RouteConfig({ publicRoute: true });
