import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { staleRows } from '../../platform/database/replica/stale-reads.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { DomainCount, EventCount } from './guard-report.js';
import { KNOWN_TOKENS, OTHER, type TokenField } from './known-tokens.js';

/** The events of live keys that are counted. */
export interface DaysScope {
  readonly accountId: string;
  /** Today included. */
  readonly days: number;
  /** Id; null: all events of the account. */
  readonly propertyId: string | null;
}

/** Events of a day that have these tokens in common. */
export interface DayCount extends EventCount {
  /** Such as `2026-11-28`, UTC. */
  readonly day: string;
}

interface CountRow {
  day: string;
  verdict: string;
  action: string;
  source: string;
  degraded: number;
  events: string;
}

/** Events by day, aggregated in raw SQL. The range may have very many rows: whoever asks keeps the answer for a while. */
@Injectable()
export class GuardDaysRepository {
  constructor(private readonly dataSource: DataSource) {}

  async counts(scope: DaysScope): Promise<DayCount[]> {
    const { where, values } = within(scope);
    const rows = await staleRows<CountRow>(
      this.dataSource,
      `SELECT DATE_FORMAT(at, '%Y-%m-%d') AS day, ${known('verdict')} AS verdict, ${known('action')} AS action,
          ${known('source')} AS source, degraded, COUNT(*) AS events FROM guard_events WHERE ${where} GROUP BY 1, 2, 3, 4, 5`,
      [KNOWN_TOKENS.verdict, KNOWN_TOKENS.action, KNOWN_TOKENS.source, ...values],
    );
    return rows.map((row) => ({ ...row, degraded: row.degraded === 1, events: Number(row.events) }));
  }

  /** The most frequent domains first. */
  async topDomains(scope: DaysScope, limit: number): Promise<DomainCount[]> {
    const { where, values } = within(scope);
    const rows = await staleRows<{ domain: string; events: string }>(
      this.dataSource,
      `SELECT domain, COUNT(*) AS events FROM guard_events WHERE ${where} AND domain IS NOT NULL
        GROUP BY domain ORDER BY COUNT(*) DESC, domain LIMIT ?`,
      [...values, limit],
    );
    return rows.map(({ domain, events }) => ({ domain, events: Number(events) }));
  }
}

function known(field: TokenField): string {
  return `CASE WHEN ${field} IN (?) THEN ${field} ELSE '${OTHER}' END`;
}

function within({ accountId, days, propertyId }: DaysScope) {
  const ofProperty = propertyId === null ? '' : ' AND property_id = ?';
  return {
    where: `account_id = ? AND sandbox = 0 AND at >= UTC_DATE() - INTERVAL ? DAY${ofProperty}`,
    values: [idToBytes(accountId), days - 1, ...(propertyId === null ? [] : [idToBytes(propertyId)])],
  };
}
