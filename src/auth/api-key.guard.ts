import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { callerOf } from './caller.js';

/**
 * Stands on every route that needs a key and lets pass only what the gate has cleared before the body was read. A request
 * gets here without a caller only when the gate was left out of the process or the route was marked public by mistake:
 * a fault of ours, whatever key was sent, and so no 401.
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
