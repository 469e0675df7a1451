import { hashApiKey, parseApiKey } from './api-key.js';
import type { Caller } from './caller.js';
import type { CallerDirectory } from './caller-directory.js';
import type { KeyUsage } from './key-usage.js';

/** Nothing longer is hashed before it is known to have the form of a key. */
const LONGEST_KEY = 128;

export interface ApiKeyServiceParts {
  /** `KEY_PREFIX`. */
  readonly prefix: string;
  readonly directory: Pick<CallerDirectory, 'find' | 'remembered'>;
  readonly usage: Pick<KeyUsage, 'touch'>;
}

export type Authentication =
  | { readonly kind: 'authenticated'; readonly caller: Caller }
  /** It cannot be a key. */
  | { readonly kind: 'malformed' }
  /** It may have been one, and is not in force. */
  | { readonly kind: 'unknown' };

/** Tells whose key a request carries. */
export class ApiKeyService {
  constructor(private readonly parts: ApiKeyServiceParts) {}

  /**
   * Who is behind the value of an `X-API-Key` header, if that was found out seconds ago; null: `authenticate` has to be
   * asked. On the way of every request.
   */
  recognise(header: string | string[] | undefined): Caller | null {
    if (typeof header !== 'string' || header.length > LONGEST_KEY) return null;
    const caller = this.parts.directory.remembered(hashApiKey(header));
    if (caller === undefined) return null;
    this.parts.usage.touch(caller.keyId);
    return caller;
  }

  /**
   * Who is behind the value of an `X-API-Key` header. A text that cannot be a key costs no look-up; a key in use costs one
   * read every few seconds.
   * @throws AppError `service_unavailable` when the database does not say: never taken for a wrong key.
   */
  async authenticate(header: string | string[] | undefined): Promise<Authentication> {
    if (typeof header !== 'string' || parseApiKey(header, this.parts.prefix) === null) return { kind: 'malformed' };
    const caller = await this.parts.directory.find(hashApiKey(header));
    if (caller === null) return { kind: 'unknown' };
    this.parts.usage.touch(caller.keyId);
    return { kind: 'authenticated', caller };
  }
}
