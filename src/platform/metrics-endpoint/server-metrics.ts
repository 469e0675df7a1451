import { Injectable } from '@nestjs/common';
import type { Registry } from 'prom-client';
import { DatabasePool } from '../database/database-pool.js';
import { Readiness } from '../health/readiness.js';
import { Metrics } from '../metrics/metrics.js';
import { showFigure, showFigures } from '../metrics/show-gauge.js';
import { BoundedReading } from './bounded-reading.js';

/** Metrics of the servers that the process uses. */
@Injectable()
export class ServerMetrics {
  constructor({ registry }: Metrics, pool: DatabasePool, readiness: Readiness) {
    showPool(registry, pool);
    showReadiness(registry, readiness);
  }
}

/** Database connections, and statements that wait for one. Without values before the process has connected. */
function showPool(registry: Registry, pool: DatabasePool): void {
  const help = 'Connections to the database by state: busy, idle';
  showFigures(registry, 'mailvet_database_connections', help, ['state'], () => {
    const { state } = pool;
    return state === null
      ? []
      : [
          [{ state: 'idle' }, state.idle],
          [{ state: 'busy' }, state.busy],
        ];
  });
  const waiting = 'Statements that wait for a connection to the database';
  showFigure(registry, 'mailvet_database_waiting', waiting, () => pool.state?.waiting ?? Number.NaN);
}

/** Whether `/health/ready` succeeds. */
function showReadiness(registry: Registry, readiness: Readiness): void {
  const reading = new BoundedReading(() => readiness.check().then(() => true));
  showFigure(registry, 'mailvet_ready', 'Whether the process is ready: 1 yes, 0 no', async () =>
    Number((await reading.read()) ?? false),
  );
}
