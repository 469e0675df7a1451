import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { callerOf, type Caller } from './caller.js';

/** Parameter of a controller method behind `ApiKeyGuard`: who calls. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller | null =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);
