/** What a span says of a statement: no value that stands in it. */
export interface StatementShape {
  /** `SELECT check_cache`, `COMMIT`. */
  readonly name: string;
  /** `SELECT`, `START`, … */
  readonly operation: string;
  /** Null where the statement names none, or the first thing it names is a query. */
  readonly table: string | null;
  /** Literals as `?`, lists of them as one, cut off at 500 characters. */
  readonly text: string;
}

/** Longer statements are long lists. */
const MAX_READ = 4000;
const MAX_TEXT = 500;
/** Strings in either kind of quotes, also one that was cut off, numbers and octets. */
const LITERAL = /'(?:[^'\\]|\\.|'')*(?:'|\\?$)|"(?:[^"\\]|\\.|"")*(?:"|\\?$)|\b0x[0-9a-f]+|\b\d+(?:\.\d+)?\b/gis;
const LIST = /\?(?:\s*,\s*\?)+/g;
const ROWS = /\(\?\)(?:\s*,\s*\(\?\))+/g;
const TABLE = /\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:IGNORE\s+)?`?([a-z_][a-z0-9_]*)/i;

/** @param sql with `?` for its values; one that holds values all the same loses them here */
export function statementShape(sql: string): StatementShape {
  const text = sql
    .slice(0, MAX_READ)
    .replace(LITERAL, '?')
    .replace(/\s+/g, ' ')
    .replace(LIST, '?')
    .replace(ROWS, '(?)')
    .trim();
  const operation = /^[a-z]+/i.exec(text)?.[0].toUpperCase() ?? 'OTHER';
  const table = TABLE.exec(text)?.[1] ?? null;
  return {
    name: table === null ? operation : `${operation} ${table}`,
    operation,
    table,
    text: text.slice(0, MAX_TEXT),
  };
}
