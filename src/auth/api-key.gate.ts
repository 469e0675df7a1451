import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { AppConfig } from '../platform/config/app-config.js';
import { RequestGate } from '../platform/http/request-gate.js';
import { hashApiKey, parseApiKey } from './api-key.js';
import { MalformedKeyError, UnknownKeyError } from './auth.errors.js';
import type { Caller } from './caller.js';
import { CallerDirectory } from './caller-directory.js';
import { KeyUsage } from './key-usage.js';

/** A longer header cannot be a key and is not hashed. */
const LONGEST_KEY = 128;

/**
 * Admits requests with a valid API key, and puts the caller into `request.context.caller`. Refuses others with
 * `MalformedKeyError` or `UnknownKeyError`; both give the same answer.
 */
@Injectable()
export class ApiKeyGate extends RequestGate {
  constructor(
    private readonly directory: CallerDirectory,
    private readonly usage: KeyUsage,
    private readonly config: AppConfig,
  ) {
    super();
  }

  /** The same, synchronously, for a cached key; false: call `admit`. Every request comes here. */
  recognise(request: FastifyRequest): boolean {
    const header = request.headers['x-api-key'];
    if (typeof header !== 'string' || header.length > LONGEST_KEY) return false;
    const caller = this.directory.remembered(hashApiKey(header));
    if (caller !== undefined) this.welcome(request, caller);
    return caller !== undefined;
  }

  /**
   * A malformed key costs no look-up; a key in use costs one read every few seconds.
   * @throws AppError `service_unavailable` if the database does not answer; an outage is never a wrong key
   */
  override async admit(request: FastifyRequest): Promise<void> {
    const header = request.headers['x-api-key'];
    if (typeof header !== 'string' || parseApiKey(header, this.config.keys.prefix) === null) {
      throw new MalformedKeyError();
    }
    const caller = await this.directory.find(hashApiKey(header));
    if (caller === null) throw new UnknownKeyError();
    this.welcome(request, caller);
  }

  private welcome({ context }: FastifyRequest, caller: Caller): void {
    this.usage.touch(caller.keyId);
    context.caller = caller;
    context.accountId = caller.accountId;
    if (caller.mode === 'test') context.responseHeaders.set('X-Sandbox', 'true');
  }
}
