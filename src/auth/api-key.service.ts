import { Injectable } from '@nestjs/common';
import { AppConfig } from '../platform/config/app-config.js';
import { hashApiKey, parseApiKey } from './api-key.js';
import type { Caller } from './caller.js';
import { CallerDirectory } from './caller-directory.js';
import { KeyUsage } from './key-usage.js';

/** A longer header cannot be a key and is not hashed. */
const LONGEST_KEY = 128;

export type Authentication =
  | { readonly kind: 'authenticated'; readonly caller: Caller }
  /** The text cannot be a key. */
  | { readonly kind: 'malformed' }
  /** A well-formed key that is unknown, expired or revoked. */
  | { readonly kind: 'unknown' };

/** Finds the caller behind the `X-API-Key` header of a request. */
@Injectable()
export class ApiKeyService {
  constructor(
    private readonly directory: CallerDirectory,
    private readonly usage: KeyUsage,
    private readonly config: AppConfig,
  ) {}

  /** Returns the caller if it is cached; null: call `authenticate`. Every request calls this. */
  recognise(header: string | string[] | undefined): Caller | null {
    if (typeof header !== 'string' || header.length > LONGEST_KEY) return null;
    const caller = this.directory.remembered(hashApiKey(header));
    if (caller === undefined) return null;
    this.usage.touch(caller.keyId);
    return caller;
  }

  /**
   * Finds the caller. A malformed key costs no look-up; a key in use costs one read every few seconds.
   * @throws AppError `service_unavailable` if the database does not answer; an outage is never a wrong key
   */
  async authenticate(header: string | string[] | undefined): Promise<Authentication> {
    if (typeof header !== 'string' || parseApiKey(header, this.config.keys.prefix) === null)
      return { kind: 'malformed' };
    const caller = await this.directory.find(hashApiKey(header));
    if (caller === null) return { kind: 'unknown' };
    this.usage.touch(caller.keyId);
    return { kind: 'authenticated', caller };
  }
}
