import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { ApiKeyService } from './api-key.service.js';

/** Admits requests that carry an API key in force, and leaves in `request.context.caller` whose it is. */
@Injectable()
export class ApiKeyGate extends RequestGate {
  constructor(private readonly keys: ApiKeyService) {
    super();
  }

  override async admit(request: FastifyRequest): Promise<void> {
    const caller = await this.keys.authenticate(request.headers['x-api-key']);
    if (caller === null) throw new AppError('unauthorized', 'The X-API-Key header is missing or holds no valid key.');
    request.context.caller = caller;
    if (caller.mode === 'test') request.context.responseHeaders.set('X-Sandbox', 'true');
  }
}
