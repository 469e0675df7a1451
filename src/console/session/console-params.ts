import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { actorOf, consoleCallerOf, consoleUserOf } from './console-caller.js';

/** Id of the account in the path, on routes with `@AccountRole()`. */
export const AccountId = parameter((request) => consoleCallerOf(request).account.id);

/** The signed-in user, on routes that need a session. */
export const CurrentUser = parameter(consoleUserOf);

/** The signed-in user as the audit log names them. */
export const By = parameter(actorOf);

function parameter(read: (request: FastifyRequest) => unknown): () => ParameterDecorator {
  return createParamDecorator((_: unknown, context: ExecutionContext) => read(context.switchToHttp().getRequest()));
}
