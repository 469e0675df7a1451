import { hashApiKey, parseApiKey } from './api-key.js';
import type { Caller } from './caller.js';
import type { CallerDirectory } from './caller-directory.js';
import type { KeyUsage } from './key-usage.js';

export interface ApiKeyServiceParts {
  /** `KEY_PREFIX`. */
  readonly prefix: string;
  readonly directory: Pick<CallerDirectory, 'find'>;
  readonly usage: Pick<KeyUsage, 'touch'>;
}

/** Tells whose key a request carries. */
export class ApiKeyService {
  constructor(private readonly parts: ApiKeyServiceParts) {}

  /**
   * The caller behind the value of an `X-API-Key` header, or null when it is missing, no key, or not in force. A text
   * that cannot be a key costs no look-up; a key in use costs one read every few seconds.
   * @throws AppError `service_unavailable` when the database does not say: never taken for a wrong key.
   */
  async authenticate(header: string | string[] | undefined): Promise<Caller | null> {
    if (typeof header !== 'string' || parseApiKey(header, this.parts.prefix) === null) return null;
    const caller = await this.parts.directory.find(hashApiKey(header));
    if (caller !== null) this.parts.usage.touch(caller.keyId);
    return caller;
  }
}
