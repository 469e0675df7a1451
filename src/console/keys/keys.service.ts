import { Injectable } from '@nestjs/common';
import type { KeyMode } from '../../auth/api-key.js';
import { ApiKeyRepository, type ApiKeyRecord } from '../../auth/api-key.repository.js';
import { parseDisplayName } from '../../auth/display-name.js';
import { KeyManagementService } from '../../auth/key-management.service.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { AppError } from '../../platform/errors/app-error.js';
import { noSuch } from '../../platform/ids/path-id.js';
import { roomFor } from '../account-room.repository.js';
import { KeyAuthorsRepository } from './key-authors.repository.js';
import type { Key, KeyList, NewKey, RotatedKey } from './keys.response.js';

/** The keys of an account, as its members manage them. */
@Injectable()
export class KeysService {
  constructor(
    private readonly keys: ApiKeyRepository,
    private readonly management: KeyManagementService,
    private readonly authors: KeyAuthorsRepository,
  ) {}

  async list(accountId: string): Promise<KeyList> {
    const [keys, authors] = await Promise.all([this.keys.listOf(accountId), this.authors.of(accountId)]);
    return { keys: keys.map((key) => toKey(key, authors)) };
  }

  /** @throws AppError `quota_exceeded` */
  async create(accountId: string, name: string, mode: KeyMode, actor: Actor): Promise<NewKey> {
    const room = roomFor('key', accountId);
    const issued = await this.management.create(accountId, mode, parseDisplayName(name), actor, undefined, room);
    if (issued === null) throw noSuch('account');
    return { ...(await this.read(accountId, issued.id)), key: issued.key };
  }

  /** @throws AppError `not_found`, `conflict` for a key that is expired, revoked or replaced, `quota_exceeded` */
  async rotate(accountId: string, id: string, graceSeconds: number, actor: Actor): Promise<RotatedKey> {
    await this.requireOwn(accountId, id);
    const room = roomFor('successor', accountId);
    const outcome = await this.management.rotate(id, graceSeconds, actor, undefined, room);
    if (outcome.kind === 'unknown') throw noSuch('key');
    if (outcome.kind !== 'rotated') {
      const why = outcome.kind === 'ended' ? `The key is ${outcome.status}.` : 'The key was rotated before.';
      throw new AppError('conflict', why);
    }
    const { id: successor, key } = outcome.successor;
    return {
      ...(await this.read(accountId, successor)),
      key,
      old_expires_at: outcome.oldExpiresAt.toISOString(),
    };
  }

  async revoke(accountId: string, id: string, actor: Actor): Promise<Key> {
    await this.requireOwn(accountId, id);
    await this.keys.revoke(id, actor);
    return this.read(accountId, id);
  }

  private async read(accountId: string, id: string): Promise<Key> {
    const [key, authors] = await Promise.all([this.keys.findById(id), this.authors.of(accountId)]);
    if (key === null) throw noSuch('key');
    return toKey(key, authors);
  }

  private async requireOwn(accountId: string, id: string): Promise<void> {
    const key = await this.keys.findById(id);
    if (key === null || key.accountId !== accountId) throw noSuch('key');
  }
}

function toKey(key: ApiKeyRecord, authors: ReadonlyMap<string, string>): Key {
  const isExpiring = key.status === 'active' && key.expiresAt !== null;
  return {
    id: key.id,
    name: key.name,
    mode: key.mode,
    last_four: key.lastFour,
    created_at: key.createdAt.toISOString(),
    created_by: authors.get(key.id) ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    replaced_by: key.replacedBy,
    status: isExpiring ? 'expiring' : key.status,
  };
}
