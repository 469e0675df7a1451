import { Injectable } from '@nestjs/common';
import { DataSource, In, Not, type EntityManager, type FindOptionsWhere } from 'typeorm';
import type { Actor } from '../../platform/audit/audit-log.repository.js';
import { retriedSnapshot } from '../../platform/database/retried-transaction.js';
import { AppError } from '../../platform/errors/app-error.js';
import { PLAN_COLUMNS, toPlan, type PlanRow } from '../../auth/plan-row.js';
import { askPool } from '../../platform/database/ask-pool.js';
import { idFromBytes, idToBytes } from '../../platform/ids/uuid.js';
import type { MemberRole } from '../people/role.js';
import { appendUserAudit } from '../people/user-audit.repository.js';
import { lockUser } from '../people/user.repository.js';
import { UserEntity } from '../people/user.entity.js';
import { databaseNow } from '../../platform/database/database-now.js';
import type { ConsoleCaller, ConsoleUser } from './console-caller.js';
import { SessionEntity } from './session.entity.js';

/** Without a request for so long, a session ends. */
const IDLE_HOURS = 12;
/** Of one user; a further one ends that whose last use is longest ago. */
const MAX_SESSIONS = 50;

/** A session in force, and what its user is in the account that the request names. */
export interface FoundSession {
  readonly stage: 'code' | 'full';
  readonly user: ConsoleUser;
  /** Null: the request names no account, or one that the user is no member of. */
  readonly caller: ConsoleCaller | null;
  /** A minute has passed since its last use was noted. */
  readonly isUseDue: boolean;
  /** The user looked at another account last. */
  readonly isAccountNew: boolean;
}

interface SessionRow extends PlanRow {
  id: Buffer;
  user_id: Buffer;
  stage: 'code' | 'full';
  /** Of expressions: text on some servers. */
  use_due: string | number;
  account_new: string | number | null;
  email: string;
  operator: number;
  role: MemberRole | null;
  account_id: Buffer;
  account_name: string;
  suspended: string | number;
}

/** Raw SQL: every request of the console reads it, and one read answers all that the gate asks. */
const SELECT_SESSION = `SELECT s.id, s.user_id, s.stage, s.last_used_at < UTC_TIMESTAMP(3) - INTERVAL 1 MINUTE AS use_due,
    u.last_account_id IS NULL OR u.last_account_id <> m.account_id AS account_new,
    u.email, u.operator, m.role, m.account_id, a.name AS account_name,
    a.suspended_at IS NOT NULL AS suspended, ${PLAN_COLUMNS}
  FROM sessions s JOIN users u ON u.id = s.user_id
    LEFT JOIN memberships m ON m.user_id = u.id AND m.account_id = ?
    LEFT JOIN accounts a ON a.id = m.account_id LEFT JOIN plans p ON p.name = a.plan
  WHERE s.token_sha256 = ? AND u.disabled_at IS NULL AND s.expires_at > UTC_TIMESTAMP(3)
    AND s.last_used_at > UTC_TIMESTAMP(3) - INTERVAL ${IDLE_HOURS} HOUR`;

/** Sessions, as requests need them. */
@Injectable()
export class SessionRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The session in force with this token.
   * @param tokenSha256 hex
   * @param accountId named by the request; null: none
   */
  async find(tokenSha256: string, accountId: string | null): Promise<FoundSession | null> {
    const account = accountId === null ? null : idToBytes(accountId);
    const token = Buffer.from(tokenSha256, 'hex');
    const [row] = await askPool<SessionRow[]>(this.dataSource, SELECT_SESSION, [account, token]);
    return row === undefined ? null : toFound(row);
  }

  /** Those in force, the one used last first. */
  listOf(userId: string): Promise<SessionEntity[]> {
    return this.dataSource
      .getRepository(SessionEntity)
      .createQueryBuilder('session')
      .where({ userId, stage: 'full' })
      .andWhere(`session.expires_at > UTC_TIMESTAMP(3)`)
      .andWhere(`session.last_used_at > UTC_TIMESTAMP(3) - INTERVAL ${IDLE_HOURS} HOUR`)
      .orderBy({ 'session.last_used_at': 'DESC', 'session.id': 'DESC' })
      .getMany();
  }

  /**
   * Begins a session that was proven by what the user's row says.
   * False: that has changed since it was read, as by another password, and nothing has begun.
   */
  insert(session: NewSession, { passwordHash, totpOnAt }: SignInProof): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const user = await lockUser(transaction, session.userId);
      if (user === null || user.disabledAt !== null || user.passwordHash !== passwordHash) return false;
      if ((user.totpOnAt === null) !== (totpOnAt === null)) return false;
      await beginSession(transaction, session);
      return true;
    });
  }

  /** Begins a session in place of another. False: the other one is gone, and nothing has begun. */
  replace(oldId: string, session: NewSession): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const { affected } = await transaction.delete(SessionEntity, { id: oldId });
      if (affected !== 1) return false;
      await beginSession(transaction, session);
      return true;
    });
  }

  /** False: the user has no such session. @param act null: nobody asked for it */
  end(userId: string, id: string, act: SessionAct | null): Promise<boolean> {
    return this.delete({ id, userId }, act);
  }

  async endOthers(userId: string, id: string, actor: Actor): Promise<void> {
    await this.delete({ userId, id: Not(id) }, { actor, action: 'user.end-sessions' });
  }

  private delete(
    which: FindOptionsWhere<SessionEntity> & { userId: string },
    act: SessionAct | null,
  ): Promise<boolean> {
    return retriedSnapshot(this.dataSource, async (transaction) => {
      const { affected } = await transaction.delete(SessionEntity, which);
      if (act !== null && affected) await appendUserAudit(transaction, { ...act, userId: which.userId });
      return Boolean(affected);
    });
  }

  /** Counts a try of an authentication code; false: there were `limit` before. */
  async countCode(id: string, limit: number): Promise<boolean> {
    const { affectedRows } = await this.dataSource.sql<{ affectedRows: number }>`
      UPDATE sessions SET code_tries = code_tries + 1 WHERE id = ${idToBytes(id)} AND stage = 'code'
        AND code_tries < ${limit}`;
    return affectedRows === 1;
  }

  async noteUse(sessionId: string): Promise<void> {
    await this.dataSource.sql`UPDATE sessions SET last_used_at = UTC_TIMESTAMP(3) WHERE id = ${idToBytes(sessionId)}`;
  }

  async noteAccount(userId: string, accountId: string): Promise<void> {
    await this.dataSource.sql`
      UPDATE users SET last_account_id = ${idToBytes(accountId)} WHERE id = ${idToBytes(userId)}`;
  }
}

function toFound(row: SessionRow): FoundSession {
  const user: ConsoleUser = {
    id: idFromBytes(row.user_id),
    email: row.email,
    isOperator: row.operator === 1,
    sessionId: idFromBytes(row.id),
  };
  return {
    stage: row.stage,
    user,
    caller: row.role === null ? null : toCaller(row, user, row.role),
    isUseDue: Number(row.use_due) === 1,
    isAccountNew: Number(row.account_new) === 1,
  };
}

function toCaller(row: SessionRow, user: ConsoleUser, role: MemberRole): ConsoleCaller {
  const account = {
    id: idFromBytes(row.account_id),
    name: row.account_name,
    isSuspended: Number(row.suspended) === 1,
  };
  return { user, account, role, plan: toPlan(row) };
}

/** Why a user ends sessions, for the audit log. */
interface SessionAct {
  readonly actor: Actor;
  readonly action: 'user.sign-out' | 'user.end-session' | 'user.end-sessions';
}

/** What a sign-in was held to, as it was read. */
export type SignInProof = Pick<UserEntity, 'passwordHash' | 'totpOnAt'>;

/** What a new session is made of. */
export interface NewSession extends Pick<
  SessionEntity,
  'id' | 'userId' | 'tokenSha256' | 'stage' | 'address' | 'userAgent'
> {
  readonly lifeSeconds: number;
}

/** A whole session is noted: when the user signed in last, and in the audit log. */
async function beginSession(transaction: EntityManager, session: NewSession): Promise<void> {
  const { userId, address, stage } = session;
  await insertSession(transaction, session);
  await endOldest(transaction, userId);
  if (stage !== 'full') return;
  await transaction.update(UserEntity, { id: userId }, { lastSignedInAt: databaseNow });
  const actor = { name: `user:${userId}`, address };
  await appendUserAudit(transaction, { userId, actor, action: 'user.sign-in' });
}

/**
 * Gives a session another token when the rights of its user rise, and ends the user's other sessions. A stolen token gains
 * nothing then.
 * @param tokenSha256 the new one, in hex
 * @throws AppError `unauthorized` if the session has ended meanwhile
 */
export async function renewSession(
  transaction: EntityManager,
  { id, sessionId }: ConsoleUser,
  tokenSha256: string,
): Promise<void> {
  const { affected } = await transaction.update(SessionEntity, { id: sessionId, userId: id }, { tokenSha256 });
  if (affected !== 1) throw new AppError('unauthorized', 'Your session has ended; sign in again.');
  await transaction.delete(SessionEntity, { userId: id, id: Not(sessionId) });
}

/** Ends sessions beyond the most that a user may have: those whose last use is longest ago. */
async function endOldest(transaction: EntityManager, userId: string): Promise<void> {
  const oldest = await transaction.find(SessionEntity, {
    select: { id: true },
    where: { userId },
    order: { lastUsedAt: 'DESC', id: 'DESC' },
    skip: MAX_SESSIONS,
    take: MAX_SESSIONS,
  });
  if (oldest.length > 0) await transaction.delete(SessionEntity, { id: In(oldest.map(({ id }) => id)) });
}

export async function insertSession(transaction: EntityManager, session: NewSession): Promise<void> {
  await transaction.sql`
    INSERT INTO sessions (id, user_id, token_sha256, stage, address, user_agent, created_at, last_used_at, expires_at)
      VALUES (${idToBytes(session.id)}, ${idToBytes(session.userId)}, ${Buffer.from(session.tokenSha256, 'hex')},
        ${session.stage}, ${session.address}, ${session.userAgent}, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3),
        UTC_TIMESTAMP(3) + INTERVAL ${session.lifeSeconds} SECOND)`;
}
