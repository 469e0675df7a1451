import { SpanKind, SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api';
import type { AskedConnection, ConnectionSource, PoolMaker } from '../tracing.js';
import { recordingSpan } from './recording.js';
import { statementShape, type StatementShape } from './statement-shape.js';

/** Statements are constants of the code, but contain lists of any length. */
const MAX_SHAPES = 1000;

/** Spans of MySQL statements of traced work: the statement without its values, and the code of an error. */
export class MysqlSpans {
  private readonly shapes = new Map<string, StatementShape>();

  constructor(private readonly tracer: Tracer) {}

  driver<O, P extends ConnectionSource>(inner: PoolMaker<O, P>): PoolMaker<O, P> {
    return {
      createPool: (options) => {
        const pool = inner.createPool(options);
        pool.on('connection', (connection) => this.watch(connection));
        return pool;
      },
    };
  }

  async packet<T>(statements: number, send: () => Promise<T>): Promise<T> {
    if (recordingSpan() === undefined) return send();
    const span = this.tracer.startSpan('MySQL packet', {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'mysql', 'db.operation.batch.size': statements },
    });
    try {
      return await send();
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** The driver has no hook for statements. All of them pass these two methods. */
  private watch(connection: AskedConnection): void {
    connection.query = this.traced(connection.query.bind(connection));
    connection.execute = this.traced(connection.execute.bind(connection));
  }

  private traced(query: (...args: unknown[]) => unknown): (...args: unknown[]) => unknown {
    return (...args) => {
      const done = args.at(-1);
      const sql = sqlOf(args[0]);
      if (sql === null || typeof done !== 'function' || recordingSpan() === undefined) return query(...args);
      const span = this.begin(sql);
      const finish = (...outcome: unknown[]): void => {
        if (outcome[0] != null) fail(span, outcome[0]);
        span.end();
        (done as (...outcome: unknown[]) => void)(...outcome);
      };
      return query(...args.slice(0, -1), finish);
    };
  }

  private begin(sql: string): Span {
    const { name, operation, table, text } = this.shapeOf(sql);
    return this.tracer.startSpan(name, {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'mysql',
        'db.operation.name': operation,
        'db.query.text': text,
        ...(table !== null && { 'db.collection.name': table }),
      },
    });
  }

  private shapeOf(sql: string): StatementShape {
    const known = this.shapes.get(sql);
    if (known !== undefined) return known;
    const shape = statementShape(sql);
    if (this.shapes.size < MAX_SHAPES) this.shapes.set(sql, shape);
    return shape;
  }
}

function sqlOf(query: unknown): string | null {
  if (typeof query === 'string') return query;
  const { sql } = (query ?? {}) as { readonly sql?: unknown };
  return typeof sql === 'string' ? sql : null;
}

/** Records only the error's code: server messages contain values. */
function fail(span: Span, error: unknown): void {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  span.setAttribute('error.type', typeof code === 'string' ? code.slice(0, 64) : 'error');
  span.setStatus({ code: SpanStatusCode.ERROR });
}
