import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { databaseNow } from '../../platform/database/database-now.js';
import { appendUserAudit } from '../people/user-audit.repository.js';
import { lockUser } from '../people/user.repository.js';
import { UserEntity } from '../people/user.entity.js';
import { RecoveryCodeEntity } from './recovery-code.entity.js';

/** What a code that is good leaves behind. */
export interface TakenCode {
  readonly step: number;
  /** The secret, sealed with the present key. */
  readonly sealed: Buffer;
}

/** Null: the code is not good. */
export type MatchCode = (user: UserEntity) => TakenCode | null;

/** TOTP secrets and recovery codes. The user's row is locked while a code is taken, so that it is taken once. */
@Injectable()
export class SecondFactorRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param recoverySha256 of the same text as a recovery code; null: it cannot be one */
  take(userId: string, match: MatchCode, recoverySha256: string | null): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const user = await lockUser(transaction, userId);
      if (user === null || user.totpOnAt === null) return false;
      const taken = match(user);
      if (taken !== null) {
        await transaction.update(UserEntity, { id: userId }, toColumns(taken));
        return true;
      }
      return recoverySha256 !== null && (await useRecoveryCode(transaction, userId, recoverySha256));
    });
  }

  /** Stores a secret that waits for its first code. False: the second factor is on. */
  offer(userId: string, sealed: Buffer): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const user = await lockUser(transaction, userId);
      if (user === null || user.totpOnAt !== null) return false;
      await transaction.update(UserEntity, { id: userId }, { totpSecret: sealed, totpLastStep: null });
      return true;
    });
  }

  /** @param codes hashes of the recovery codes */
  switchOn(
    userId: string,
    match: MatchCode,
    codes: readonly string[],
    actor: Actor,
  ): Promise<'on' | 'wrong_code' | 'not_offered'> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const user = await lockUser(transaction, userId);
      if (user === null || user.totpOnAt !== null || user.totpSecret === null) return 'not_offered';
      const taken = match(user);
      if (taken === null) return 'wrong_code';
      await transaction.update(UserEntity, { id: userId }, { ...toColumns(taken), totpOnAt: databaseNow });
      await transaction.delete(RecoveryCodeEntity, { userId });
      await transaction.insert(
        RecoveryCodeEntity,
        codes.map((codeSha256) => ({ userId, codeSha256 })),
      );
      await appendUserAudit(transaction, { userId, actor, action: 'user.totp-on' });
      return 'on';
    });
  }

  switchOff(userId: string, actor: Actor): Promise<void> {
    return retriedSnapshot(this.dataSource, (transaction) => clearSecondFactor(transaction, userId, actor));
  }
}

/** Without an effect on a user who has none. */
export async function clearSecondFactor(transaction: EntityManager, userId: string, actor: Actor): Promise<void> {
  const user = await lockUser(transaction, userId);
  if (user === null || user.totpSecret === null) return;
  await transaction.update(UserEntity, { id: userId }, { totpSecret: null, totpOnAt: null, totpLastStep: null });
  await transaction.delete(RecoveryCodeEntity, { userId });
  if (user.totpOnAt !== null) await appendUserAudit(transaction, { userId, actor, action: 'user.totp-off' });
}

function toColumns({ step, sealed }: TakenCode): Pick<UserEntity, 'totpLastStep' | 'totpSecret'> {
  return { totpLastStep: step, totpSecret: sealed };
}

async function useRecoveryCode(transaction: EntityManager, userId: string, codeSha256: string): Promise<boolean> {
  const { affected } = await transaction.delete(RecoveryCodeEntity, { userId, codeSha256 });
  return affected === 1;
}
