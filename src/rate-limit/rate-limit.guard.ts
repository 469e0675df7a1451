import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import './rate-limit-status.js';

/**
 * Stands on every route of the process and lets nothing pass, beside what is public, that the gate gave no token before
 * the body was read. A request gets here without one only when the gate was left out: a fault of ours, and so no 429.
 */
@Injectable()
export class RateLimitGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    if (request.context.rateLimit !== undefined || request.routeOptions.config.publicRoute === true) return true;
    throw new AppError('internal_error', 'The request could not be served.', {
      cause: new Error('a route behind RateLimitGuard was reached without passing RateLimitGate'),
    });
  }
}
