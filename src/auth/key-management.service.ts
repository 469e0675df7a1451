import { Inject, Injectable } from '@nestjs/common';
import { AppConfig } from '../platform/config/app-config.js';
import { newId } from '../platform/ids/uuid.js';
import { generateApiKey, hashApiKey, lastFourOf, type KeyMode } from './api-key.js';
import type { RequireRoom } from './account.repository.js';
import { ApiKeyRepository, type NewApiKey, type Rotation } from './api-key.repository.js';
import type { Actor } from '../platform/audit/audit-log.repository.js';

/** A new key. Only this object contains `key`. */
export interface IssuedKey {
  readonly id: string;
  readonly key: string;
}

export type RotationOutcome =
  | { readonly kind: 'rotated'; readonly successor: IssuedKey; readonly oldExpiresAt: Date }
  | Exclude<Rotation, { kind: 'rotated' }>;

/** The operator's use cases for keys. `actor` is the operator, for the audit log. */
@Injectable()
export class KeyManagementService {
  constructor(
    private readonly keys: ApiKeyRepository,
    @Inject(AppConfig) private readonly config: Pick<AppConfig, 'keys'>,
  ) {}

  /**
   * Returns null if there is no such account.
   * @param show shows the key to the operator; if it rejects, no key is created
   * @param requireRoom the same
   */
  async create(
    accountId: string,
    mode: KeyMode,
    name: string | null,
    actor: Actor,
    show: (issued: IssuedKey) => Promise<void> = () => Promise.resolve(),
    requireRoom?: RequireRoom,
  ): Promise<IssuedKey | null> {
    const { issued, stored } = this.issue(mode);
    const key = { ...stored, accountId, mode, name };
    const inserted = await this.keys.insert(key, actor, () => show(issued), requireRoom);
    return inserted ? issued : null;
  }

  /**
   * Creates a successor with the same account, mode and name; the old key stays valid for the grace period (0: not at
   * all).
   * @param show shows the successor to the operator; if it rejects, nothing changes
   * @param requireRoom the same
   */
  async rotate(
    id: string,
    graceSeconds: number,
    actor: Actor,
    show: (successor: IssuedKey, oldExpiresAt: Date) => Promise<void> = () => Promise.resolve(),
    requireRoom?: RequireRoom,
  ): Promise<RotationOutcome> {
    const old = await this.keys.findById(id);
    if (old === null) return { kind: 'unknown' };
    const { issued, stored } = this.issue(old.mode);
    const shown = (oldExpiresAt: Date): Promise<void> => show(issued, oldExpiresAt);
    const rotation = await this.keys.rotate(id, stored, graceSeconds, actor, shown, requireRoom);
    if (rotation.kind !== 'rotated') return rotation;
    return { kind: 'rotated', successor: issued, oldExpiresAt: rotation.oldExpiresAt };
  }

  private issue(mode: KeyMode): { issued: IssuedKey; stored: NewApiKey } {
    const id = newId();
    const key = generateApiKey(this.config.keys.prefix, mode);
    return { issued: { id, key }, stored: { id, sha256: hashApiKey(key), lastFour: lastFourOf(key) } };
  }
}
