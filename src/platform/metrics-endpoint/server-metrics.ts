import { Injectable } from '@nestjs/common';
import { Gauge, type Registry } from 'prom-client';
import { DatabasePool } from '../database/database-pool.js';
import { Readiness } from '../health/readiness.js';
import { Metrics } from '../metrics/metrics.js';
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
  const connections = new Gauge({
    name: 'mailvet_database_connections',
    help: 'Connections to the database by state: busy, idle',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.reset();
      const { state } = pool;
      if (state === null) return;
      connections.set({ state: 'idle' }, state.idle);
      connections.set({ state: 'busy' }, state.busy);
    },
  });
  const waiting = new Gauge({
    name: 'mailvet_database_waiting',
    help: 'Statements that wait for a connection to the database',
    registers: [registry],
    collect() {
      waiting.set(pool.state?.waiting ?? Number.NaN);
    },
  });
}

/** Whether `/health/ready` succeeds. */
function showReadiness(registry: Registry, readiness: Readiness): void {
  const reading = new BoundedReading(() => readiness.check().then(() => true));
  const ready = new Gauge({
    name: 'mailvet_ready',
    help: 'Whether the process is ready: 1 yes, 0 no',
    registers: [registry],
    async collect() {
      ready.set(Number((await reading.read()) ?? false));
    },
  });
}
