import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** mysql2 exposes the state of its pool only in private fields. */
type InnerPool = Readonly<Record<string, { readonly length: number } | undefined>>;

export interface PoolState {
  readonly idle: number;
  readonly busy: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
}

/** The process's connection pool. */
@Injectable()
export class DatabasePool {
  constructor(private readonly dataSource: DataSource) {}

  /** Null before the process has connected. */
  get state(): PoolState | null {
    const { pool } = this.dataSource.driver as object as { readonly pool?: InnerPool };
    const all = pool?.['_allConnections'];
    const idle = pool?.['_freeConnections'];
    const waiting = pool?.['_connectionQueue'];
    if (all === undefined || idle === undefined || waiting === undefined) return null;
    return { idle: idle.length, busy: Math.max(0, all.length - idle.length), waiting: waiting.length };
  }
}
