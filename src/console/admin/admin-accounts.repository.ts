import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { idFromBytes, idToBytes, isId } from '../../platform/ids/uuid.js';
import type { AdminAccount } from './admin.response.js';
import { NOTHING, statement, type Statement } from '../../platform/database/statement.js';

interface AccountRow {
  id: Buffer;
  name: string;
  plan: string;
  suspended_at: Date | null;
  created_at: Date;
  credits: string;
}

const ACCOUNTS = statement`SELECT a.id, a.name, a.plan, a.suspended_at, a.created_at, COALESCE(b.purchased + b.gifted, 0) AS credits
  FROM accounts a LEFT JOIN account_balances b ON b.account_id = a.id`;

/** Accounts as operators find them. */
@Injectable()
export class AdminAccountsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. @param query a part of the name, or an id; null: all */
  async search(query: string | null, before: string | null, limit: number): Promise<AdminAccount[]> {
    const id = query !== null && isId(query.toLowerCase()) ? idToBytes(query.toLowerCase()) : null;
    const wanted = query === null ? NOTHING : id === null ? isNamed(query) : statement`AND a.id = ${id}`;
    const rows = await statement`
      ${ACCOUNTS} WHERE a.id < ${before === null ? Buffer.alloc(16, 0xff) : idToBytes(before)}
        ${wanted} ORDER BY a.id DESC LIMIT ${limit}`.run<AccountRow[]>(this.dataSource);
    return rows.map(toAccount);
  }

  async find(id: string): Promise<AdminAccount | null> {
    const [row] = await statement`${ACCOUNTS} WHERE a.id = ${idToBytes(id)}`.run<AccountRow[]>(this.dataSource);
    return row === undefined ? null : toAccount(row);
  }

  /** Id of the latest failure of a job. */
  async failureOf(queue: string, jobId: string): Promise<number | null> {
    const [row] = await this.dataSource.sql<{ id: string }[]>`
      SELECT id FROM failed_jobs WHERE queue = ${queue} AND job_id = ${jobId} ORDER BY id DESC LIMIT 1`;
    return row === undefined ? null : Number(row.id);
  }
}

function toAccount({ id, name, plan, suspended_at, created_at, credits }: AccountRow): AdminAccount {
  return {
    id: idFromBytes(id),
    name,
    plan,
    suspended: suspended_at !== null,
    created_at: created_at.toISOString(),
    credits_total: Number(credits),
  };
}

function isNamed(part: string): Statement {
  return statement`AND a.name LIKE ${`%${part.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`}`;
}
