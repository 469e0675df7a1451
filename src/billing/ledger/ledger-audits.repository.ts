import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What a daily audit of all accounts has found. */
export interface LedgerAudit {
  readonly endedAt: Date;
  readonly accounts: number;
  /** Accounts with a figure that their ledger rows do not add up to. */
  readonly mismatches: number;
}

const KEPT_DAYS = 400;

/** The outcomes of the daily audits, for processes that did not make them. */
@Injectable()
export class LedgerAuditsRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Adds the outcome of an audit that has just ended, and deletes those of over a year ago. */
  async add({ accounts, mismatches }: Omit<LedgerAudit, 'endedAt'>): Promise<void> {
    await this.dataSource.sql`
      INSERT INTO ledger_audits (ended_at, accounts, mismatches) VALUES (UTC_TIMESTAMP(3), ${accounts}, ${mismatches})`;
    await this.dataSource.sql`DELETE FROM ledger_audits WHERE ended_at < UTC_TIMESTAMP(3) - INTERVAL ${KEPT_DAYS} DAY`;
  }

  async latest(): Promise<LedgerAudit | null> {
    const [row] = await this.dataSource.query<{ ended_at: Date; accounts: number; mismatches: number }[]>(
      'SELECT ended_at, accounts, mismatches FROM ledger_audits ORDER BY id DESC LIMIT 1',
    );
    return row === undefined ? null : { endedAt: row.ended_at, accounts: row.accounts, mismatches: row.mismatches };
  }
}
