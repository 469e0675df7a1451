import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sendError } from './error-reply.js';
import { toAppError } from './to-app-error.js';

/** The one place where a failure becomes an answer; Nest passes Fastify's own refusals through it too. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const error = toAppError(thrown);
    const requestId = http.getRequest<FastifyRequest>().id;
    if (error.code === 'internal_error') this.logger.error({ requestId, err: error.cause ?? error }, 'request failed');
    if (error.code === 'service_unavailable') {
      this.logger.warn({ requestId, err: error.cause ?? error }, 'request could not be served');
    }
    sendError(http.getResponse<FastifyReply>(), error);
  }
}
