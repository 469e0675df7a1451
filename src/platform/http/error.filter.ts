import { Catch, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppError } from '../errors/app-error.js';
import { errorFields, type ErrorFields } from '../logging/error-fields.js';
import { sendError } from './error-reply.js';
import { ERROR_STATUS } from './error-status.js';
import { toAppError } from './to-app-error.js';

/** Turns every error into an answer; Nest passes Fastify's own errors through it too. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger('Http');

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const error = toAppError(thrown);
    this.log(error, http.getRequest<FastifyRequest>().id);
    sendError(http.getResponse<FastifyReply>(), error);
  }

  /** Logs only our failures. While a server is down, each request logs one line with the reason. */
  private log(error: AppError, requestId: string): void {
    if (error.code === 'internal_error') {
      this.logger.error({ requestId, err: error.cause ?? error }, 'request failed');
    } else if (ERROR_STATUS[error.code] >= 500) {
      const why = messagesOf(errorFields(error.cause ?? error)).join(': ');
      this.logger.warn({ requestId, code: error.code, why }, 'request could not be served');
    }
  }
}

/** Its own message and those of its causes. */
function messagesOf({ message, cause }: ErrorFields): readonly string[] {
  return cause === undefined ? [message] : [message, ...messagesOf(cause)];
}
