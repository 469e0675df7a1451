import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { idFromBytes } from '../../platform/ids/uuid.js';
import { setPassword } from './user.repository.js';
import { UserEntity } from './user.entity.js';
import { UserLinkEntity } from './user-link.entity.js';

/** When a link that is made now ends, for TypeORM's `insert`. */
export const linkEnd = (): string => `${NOW} + INTERVAL 24 HOUR`;

export interface FoundLink {
  readonly kind: 'invitation' | 'reset';
  readonly email: string;
  readonly name: string;
  readonly account: { readonly id: string; readonly name: string } | null;
}

/** One-time links on which users choose a password. */
@Injectable()
export class UserLinksRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Null when the link is unknown, used or too old, or its user is disabled. @param tokenSha256 hex */
  async find(tokenSha256: string): Promise<FoundLink | null> {
    const [row] = await this.dataSource.sql<
      { kind: FoundLink['kind']; email: string; name: string; account_id: Buffer | null; account_name: string | null }[]
    >`
      SELECT l.kind, u.email, u.name, a.id AS account_id, a.name AS account_name
        FROM user_links l JOIN users u ON u.id = l.user_id LEFT JOIN accounts a ON a.id = l.account_id
        WHERE l.token_sha256 = ${Buffer.from(tokenSha256, 'hex')} AND l.expires_at > UTC_TIMESTAMP(3)
          AND u.disabled_at IS NULL`;
    if (row === undefined) return null;
    const { kind, email, name, account_id, account_name } = row;
    return { kind, email, name, account: account_id && { id: idFromBytes(account_id), name: account_name ?? '' } };
  }

  /**
   * Sets the password that was chosen on a link, which is used up by that. Two who use it at once: one of them does.
   * @param name that the user chose; null: as it is
   * @returns the user with that password; null when the link is not good
   */
  use(
    tokenSha256: string,
    { passwordHash, name, address }: { passwordHash: string; name: string | null; address: string | null },
  ): Promise<UserEntity | null> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const userId = await takeLink(transaction, tokenSha256);
      if (userId === null) return null;
      const user = await transaction.findOneByOrFail(UserEntity, { id: userId });
      if (user.disabledAt !== null) return null;
      if (name !== null) await transaction.update(UserEntity, { id: userId }, { name });
      await setPassword(transaction, userId, passwordHash, { name: `user:${userId}`, address });
      return { ...user, passwordHash };
    });
  }
}

async function takeLink(transaction: EntityManager, tokenSha256: string): Promise<string | null> {
  const [row] = await transaction.sql<{ user_id: Buffer }[]>`
    SELECT user_id FROM user_links WHERE token_sha256 = ${Buffer.from(tokenSha256, 'hex')}
      AND expires_at > UTC_TIMESTAMP(3) FOR UPDATE`;
  return row === undefined ? null : idFromBytes(row.user_id);
}

/** A new link of a user; those before it end. @param link with `tokenSha256` in hex */
export async function insertLink(
  transaction: EntityManager,
  link: Pick<UserLinkEntity, 'tokenSha256' | 'userId' | 'accountId' | 'kind'>,
): Promise<void> {
  await transaction.delete(UserLinkEntity, { userId: link.userId });
  await transaction.insert(UserLinkEntity, {
    ...link,
    expiresAt: linkEnd,
  });
}
