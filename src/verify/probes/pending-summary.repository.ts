import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { NOW } from '../../platform/database/database-now.js';

/** How many probes are pending. */
export interface PendingSummary {
  /** Queued or running. */
  readonly due: number;
  /** Waiting for their retry. */
  readonly greylisted: number;
  /** Seconds that the probe with the earliest due time has waited; 0 if none waits. */
  readonly oldestDueSeconds: number;
}

@Injectable()
export class PendingSummaryRepository {
  constructor(private readonly dataSource: DataSource) {}

  async read(): Promise<PendingSummary> {
    const rows = await this.dataSource.query<{ state: string; n: string | number; age: string | number | null }[]>(
      `SELECT state, COUNT(*) AS n, TIMESTAMPDIFF(SECOND, MIN(due_at), ${NOW}) AS age
        FROM pending_probes WHERE active = 1 GROUP BY state`,
    );
    const count = (state: string): number => Number(rows.find((row) => row.state === state)?.n ?? 0);
    const ages = rows.map(({ age }) => Number(age ?? 0));
    return { due: count('due'), greylisted: count('greylisted'), oldestDueSeconds: Math.max(0, ...ages) };
  }
}
