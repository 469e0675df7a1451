import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { endOf, startOf, type Month } from '../../billing/month.js';
import { staleRows } from '../../platform/database/replica/stale-reads.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { DomainCount, EventCount } from './guard-report.js';
import { KNOWN_TOKENS, OTHER, type TokenField } from './known-tokens.js';
import { NOTHING, statement, type Statement } from '../../platform/database/statement.js';

/** The events that are counted. */
export interface ReportScope {
  readonly accountId: string;
  readonly sandbox: boolean;
  /** Property id; null: all events of the account. */
  readonly propertyId: string | null;
  /** A month, or so many days with today. */
  readonly time: { readonly month: Month } | { readonly days: number };
}

/** Events of a day that have these tokens in common. */
export interface DayCount extends EventCount {
  /** Such as `2026-11-28`, UTC. */
  readonly day: string;
}

type Row<Count extends EventCount> = Omit<Count, 'degraded' | 'events'> & { degraded: number; events: string };

/**
 * Aggregates events in raw SQL. The range may have millions of rows: for operators, and for pages that keep the answer
 * for a while.
 */
@Injectable()
export class GuardReportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns one count per combination of known tokens. */
  counts(scope: ReportScope): Promise<EventCount[]> {
    return this.countBy<EventCount>('', scope);
  }

  countsByDay(scope: ReportScope): Promise<DayCount[]> {
    return this.countBy<DayCount>("DATE_FORMAT(at, '%Y-%m-%d') AS day, ", scope);
  }

  /** The most frequent domains first. */
  async topDomains(scope: ReportScope, limit: number): Promise<DomainCount[]> {
    const rows = await staleRows<{ domain: string; events: string }>(
      this.dataSource,
      statement`SELECT domain, COUNT(*) AS events FROM guard_events WHERE ${within(scope)} AND domain IS NOT NULL
        GROUP BY domain ORDER BY COUNT(*) DESC, domain LIMIT ${limit}`,
    );
    return rows.map(({ domain, events }) => ({ domain, events: Number(events) }));
  }

  /** The current month, by the database's clock. */
  async currentMonth(): Promise<Month> {
    const [row] = await this.dataSource.query<{ month: number | string }[]>(
      'SELECT EXTRACT(YEAR_MONTH FROM UTC_TIMESTAMP(3)) AS month',
    );
    return Number(row!.month);
  }

  private async countBy<Count extends EventCount>(day: string, scope: ReportScope): Promise<Count[]> {
    const groups = day === '' ? '1, 2, 3, 4' : '1, 2, 3, 4, 5';
    const rows = await staleRows<Row<Count>>(
      this.dataSource,
      statement`SELECT ${() => day}${known('verdict')} AS verdict, ${known('action')} AS action, ${known('source')} AS source,
          degraded, COUNT(*) AS events FROM guard_events WHERE ${within(scope)} GROUP BY ${() => groups}`,
    );
    return rows.map(
      (row) => ({ ...row, degraded: row.degraded === 1, events: Number(row.events) }) as unknown as Count,
    );
  }
}

function known(field: TokenField): Statement {
  return statement`CASE WHEN ${() => field} IN (${KNOWN_TOKENS[field]}) THEN ${() => field} ELSE ${OTHER} END`;
}

function within({ accountId, sandbox, time, propertyId }: ReportScope): Statement {
  const range =
    'month' in time
      ? statement`at >= ${startOf(time.month)} AND at < ${endOf(time.month)}`
      : statement`at >= UTC_DATE() - INTERVAL ${time.days - 1} DAY`;
  const ofProperty = propertyId === null ? NOTHING : statement`AND property_id = ${idToBytes(propertyId)}`;
  return statement`account_id = ${idToBytes(accountId)} AND sandbox = ${Number(sandbox)} AND ${range} ${ofProperty}`;
}
