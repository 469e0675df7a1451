import { newId } from '../platform/ids/uuid.js';
import { generateApiKey, hashApiKey, lastFourOf, type KeyMode } from './api-key.js';
import type { ApiKeyRepository, NewApiKey, Rotation } from './api-key.repository.js';
import type { Actor } from '../platform/audit/audit-log.repository.js';

/** A key that was just made. `key` is seen here and never again. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

export type RotationOutcome =
  | { readonly kind: 'rotated'; readonly successor: IssuedKey; readonly oldExpiresAt: Date }
  | Exclude<Rotation, { kind: 'rotated' }>;

/** What an operator does with keys. `actor` is who does it, for the audit log. */
export class KeyManagementService {
  /** @param prefix `KEY_PREFIX` */
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly prefix: string,
  ) {}

  /**
   * Null when there is no such account.
   * @param show shows the key to its owner; where it rejects, there is no key
   */
  async create(
    accountId: string,
    mode: KeyMode,
    name: string | null,
    actor: Actor,
    show: (issued: IssuedKey) => Promise<void> = () => Promise.resolve(),
  ): Promise<IssuedKey | null> {
    const { issued, stored } = this.issue(mode);
    const inserted = await this.keys.insert({ ...stored, accountId, mode, name }, actor, () => show(issued));
    return inserted ? issued : null;
  }

  /**
   * Makes a successor of the same account, mode and name; the old key stays in force for the grace period (0: not at all).
   * @param show shows the successor to its owner; where it rejects, nothing is changed
   */
  async rotate(
    id: string,
    graceSeconds: number,
    actor: Actor,
    show: (successor: IssuedKey, oldExpiresAt: Date) => Promise<void> = () => Promise.resolve(),
  ): Promise<RotationOutcome> {
    const old = await this.keys.findById(id);
    if (old === null) return { kind: 'unknown' };
    const { issued, stored } = this.issue(old.mode);
    const rotation = await this.keys.rotate(id, stored, graceSeconds, actor, (oldExpiresAt) =>
      show(issued, oldExpiresAt),
    );
    if (rotation.kind !== 'rotated') return rotation;
    return { kind: 'rotated', successor: issued, oldExpiresAt: rotation.oldExpiresAt };
  }

  private issue(mode: KeyMode): { issued: IssuedKey; stored: NewApiKey } {
    const id = newId();
    const key = generateApiKey(this.prefix, mode);
    return { issued: { id, key }, stored: { id, sha256: hashApiKey(key), lastFour: lastFourOf(key) } };
  }
}
