import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { retriedTransaction } from '../../platform/database/retried-transaction.js';
import { lockAccount } from '../../auth/account.repository.js';
import { ApiKeyEntity } from '../../auth/api-key.entity.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { newId } from '../../platform/ids/uuid.js';

const NAME = 'console';
const HASH_OCTETS = 32;

/** The hidden key of an account. */
@Injectable()
export class AccountKeyRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Its id, made at the first call; null when there is no such account. */
  async idOf(accountId: string): Promise<string | null> {
    const key = await this.dataSource.getRepository(ApiKeyEntity).findOneBy({ accountId, hidden: 1 });
    return key?.id ?? this.make(accountId);
  }

  /** Random octets stand where other keys have the hash of their text: there is no text, so nobody can send it. */
  private make(accountId: string): Promise<string | null> {
    return retriedTransaction(this.dataSource, async (transaction) => {
      if ((await lockAccount(transaction, accountId)) === null) return null;
      const made = await transaction.findOneBy(ApiKeyEntity, { accountId, hidden: 1 });
      if (made !== null) return made.id;
      const id = newId();
      await transaction.insert(ApiKeyEntity, {
        id,
        accountId,
        mode: 'live',
        name: NAME,
        sha256: randomBytes(HASH_OCTETS).toString('hex'),
        lastFour: '----',
        hidden: 1,
        createdAt: databaseNow,
      });
      return id;
    });
  }
}
