import type { DataSource } from 'typeorm';
import { endOf, startOf, type Month } from '../../billing/month.js';
import { staleRows } from '../../platform/database/replica/stale-reads.js';
import { idToBytes } from '../../platform/ids/uuid.js';
import type { DomainCount, EventCount } from './guard-report.js';
import { KNOWN_TOKENS, OTHER, type TokenField } from './known-tokens.js';

/** The events that a report counts. */
export interface ReportScope {
  readonly accountId: string;
  readonly sandbox: boolean;
  readonly month: Month;
  /** Property id; null: all events of the account. */
  readonly propertyId: string | null;
}

interface CountRow {
  verdict: string;
  action: string;
  source: string;
  degraded: number;
  events: string;
}

/** Aggregates one range of the table in raw SQL. The range may have millions of rows: for operators, not for requests. */
export class GuardReportRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Returns one count per combination of known tokens. */
  async counts(scope: ReportScope): Promise<EventCount[]> {
    const { where, values } = within(scope);
    const rows = await staleRows<CountRow>(
      this.dataSource,
      `SELECT ${known('verdict')} AS verdict, ${known('action')} AS action, ${known('source')} AS source, degraded,
          COUNT(*) AS events FROM guard_events WHERE ${where} GROUP BY 1, 2, 3, 4`,
      [KNOWN_TOKENS.verdict, KNOWN_TOKENS.action, KNOWN_TOKENS.source, ...values],
    );
    return rows.map((row) => ({ ...row, degraded: row.degraded === 1, events: Number(row.events) }));
  }

  /** The most frequent domains first. */
  async topDomains(scope: ReportScope, limit: number): Promise<DomainCount[]> {
    const { where, values } = within(scope);
    const rows = await staleRows<{ domain: string; events: string }>(
      this.dataSource,
      `SELECT domain, COUNT(*) AS events FROM guard_events WHERE ${where} AND domain IS NOT NULL
        GROUP BY domain ORDER BY COUNT(*) DESC, domain LIMIT ?`,
      [...values, limit],
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
}

function known(field: TokenField): string {
  return `CASE WHEN ${field} IN (?) THEN ${field} ELSE '${OTHER}' END`;
}

function within({ accountId, sandbox, month, propertyId }: ReportScope) {
  const ofProperty = propertyId === null ? '' : ' AND property_id = ?';
  return {
    where: `account_id = ? AND sandbox = ? AND at >= ? AND at < ?${ofProperty}`,
    values: [
      idToBytes(accountId),
      Number(sandbox),
      startOf(month),
      endOf(month),
      ...(propertyId === null ? [] : [idToBytes(propertyId)]),
    ],
  };
}
