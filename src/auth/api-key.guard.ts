import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { callerOf } from './caller.js';

/**
 * Protects every route that needs a key: passes only requests that the gate has admitted before the body was read. A
 * request without a caller gets here only if the gate is missing or the route is wrongly marked public: our own fault,
 * so not a 401.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (callerOf(context.switchToHttp().getRequest<FastifyRequest>()) !== null) return true;
    throw new AppError('internal_error', 'The request could not be served.', {
      cause: new Error('a route behind ApiKeyGuard was reached without passing ApiKeyGate'),
    });
  }
}
