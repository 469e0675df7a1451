import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../platform/errors/app-error.js';
import { refusalOf } from './judge-access.js';

/**
 * Stands on every route of the console and lets nothing pass, beside what is public, that the session gate did not clear
 * before the body was read. A refusal here is a fault of ours: the gate was left out.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const { access, publicRoute = false } = request.routeOptions.config;
    if (publicRoute) return true;
    const refusal = refusalOf(access, request.context, access === 'half_session' ? 'code' : 'full');
    if (refusal === null) return true;
    throw new AppError('internal_error', 'The request could not be served.', {
      cause: new Error('a route behind AccessGuard was reached without passing SessionGate', { cause: refusal }),
    });
  }
}
