import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequestGate } from '../platform/http/request-gate.js';
import { ApiKeyService } from './api-key.service.js';
import { MalformedKeyError, UnknownKeyError } from './auth.errors.js';
import './caller.js';

/**
 * Admits requests that carry an API key in force, and leaves in `request.context.caller` whose it is. Refuses with
 * `MalformedKeyError` or `UnknownKeyError`: two reasons, one answer.
 */
@Injectable()
export class ApiKeyGate extends RequestGate {
  constructor(private readonly keys: ApiKeyService) {
    super();
  }

  override async admit(request: FastifyRequest): Promise<void> {
    const found = await this.keys.authenticate(request.headers['x-api-key']);
    if (found.kind === 'malformed') throw new MalformedKeyError();
    if (found.kind === 'unknown') throw new UnknownKeyError();
    request.context.caller = found.caller;
    if (found.caller.mode === 'test') request.context.responseHeaders.set('X-Sandbox', 'true');
  }
}
