import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RequestGate } from '../platform/http/request-gate.js';
import { ApiKeyService } from './api-key.service.js';
import { MalformedKeyError, UnknownKeyError } from './auth.errors.js';
import type { Caller } from './caller.js';

/**
 * Admits requests with a valid API key, and puts the caller into `request.context.caller`. Refuses others with
 * `MalformedKeyError` or `UnknownKeyError`; both give the same answer.
 */
@Injectable()
export class ApiKeyGate extends RequestGate {
  constructor(private readonly keys: ApiKeyService) {
    super();
  }

  /** The same, synchronously, for a cached key; false: call `admit`. */
  recognise(request: FastifyRequest): boolean {
    const caller = this.keys.recognise(request.headers['x-api-key']);
    if (caller !== null) welcome(request, caller);
    return caller !== null;
  }

  override async admit(request: FastifyRequest): Promise<void> {
    const found = await this.keys.authenticate(request.headers['x-api-key']);
    if (found.kind === 'malformed') throw new MalformedKeyError();
    if (found.kind === 'unknown') throw new UnknownKeyError();
    welcome(request, found.caller);
  }
}

function welcome({ context }: FastifyRequest, caller: Caller): void {
  context.caller = caller;
  context.accountId = caller.accountId;
  if (caller.mode === 'test') context.responseHeaders.set('X-Sandbox', 'true');
}
