import type { EntityManager } from 'typeorm';

/** SQL with `?` for each of its values: to run later, to send in a packet, or to be a part of another statement. */
export class Statement {
  constructor(
    readonly sql: string,
    readonly values: readonly unknown[],
  ) {}

  run<Result>(database: Pick<EntityManager, 'query'>): Promise<Result> {
    return database.query<Result>(this.sql, [...this.values]);
  }
}

/**
 * Makes a statement of what TypeORM's `sql` runs: what stands in `${value}` is bound, and only `${() => text}` is SQL.
 * A statement among the values is a part of this one.
 */
export function statement(texts: TemplateStringsArray, ...given: readonly unknown[]): Statement {
  let sql = texts[0]!.trimStart();
  const values: unknown[] = [];
  for (const [i, part] of given.entries()) {
    if (part instanceof Statement) values.push(...part.values);
    else if (typeof part !== 'function') values.push(part);
    sql += part instanceof Statement ? part.sql : typeof part === 'function' ? part() : '?';
    sql += texts[i + 1]!;
  }
  return new Statement(sql, values);
}

/** Makes one part of several. At least one. */
export function joined(parts: readonly Statement[], between: string): Statement {
  return new Statement(
    parts.map(({ sql }) => sql).join(between),
    parts.flatMap(({ values }) => values),
  );
}

/** A part of a statement that adds nothing. */
export const NOTHING = statement``;

/** SQL among the values of an INSERT, such as a time. mysql2 writes as it is what the function returns. */
export function sqlValue(text: string): { readonly toSqlString: () => string } {
  return { toSqlString: () => text };
}
