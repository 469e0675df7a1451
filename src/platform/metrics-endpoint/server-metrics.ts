import { Gauge, type Registry } from 'prom-client';
import type { Readiness } from '../health/readiness.js';
import { BoundedReading } from './bounded-reading.js';

/** A `DataSource`, whose driver has a pool once it is connected. */
export interface PooledDatabase {
  readonly driver: object;
}

/** What a pool of mysql2 knows of itself: its only way to say it. */
type InnerPool = Readonly<Record<string, { readonly length: number } | undefined>>;

interface Pool {
  readonly idle: number;
  readonly busy: number;
  readonly waiting: number;
}

/** Connections to the database, and statements that wait for one; left out before there is a pool. */
export function showPool(registry: Registry, dataSource: PooledDatabase): void {
  const connections = new Gauge({
    name: 'mailvet_database_connections',
    help: 'Connections to the database by state: busy, idle',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      connections.reset();
      const pool = poolOf(dataSource);
      if (pool === null) return;
      connections.set({ state: 'idle' }, pool.idle);
      connections.set({ state: 'busy' }, pool.busy);
    },
  });
  const waiting = new Gauge({
    name: 'mailvet_database_waiting',
    help: 'Statements that wait for a connection to the database',
    registers: [registry],
    collect() {
      waiting.set(poolOf(dataSource)?.waiting ?? Number.NaN);
    },
  });
}

function poolOf({ driver }: PooledDatabase): Pool | null {
  const { pool } = driver as { readonly pool?: InnerPool };
  const all = pool?.['_allConnections'];
  const idle = pool?.['_freeConnections'];
  const waiting = pool?.['_connectionQueue'];
  if (all === undefined || idle === undefined || waiting === undefined) return null;
  return { idle: idle.length, busy: Math.max(0, all.length - idle.length), waiting: waiting.length };
}

/** What `/health/ready` says. */
export function showReadiness(registry: Registry, readiness: Pick<Readiness, 'check'>): void {
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
