/** The description of a statement in a span, without its values. */
export interface StatementShape {
  /** `SELECT check_cache`, `COMMIT`. */
  readonly name: string;
  /** `SELECT`, `START`, … */
  readonly operation: string;
  /** Null if the statement names no table, or a subquery comes first. */
  readonly table: string | null;
  /** Literals become `?`, lists of them one `?`; cut off at 500 characters. */
  readonly text: string;
}

/** Longer statements are long lists. */
const MAX_READ = 4000;
const MAX_TEXT = 500;
/** Strings in either kind of quotes (also truncated ones), numbers and octets. */
const LITERAL = /'(?:[^'\\]|\\.|'')*(?:'|\\?$)|"(?:[^"\\]|\\.|"")*(?:"|\\?$)|\b0x[0-9a-f]+|\b\d+(?:\.\d+)?\b/gis;
const LIST = /\?(?:\s*,\s*\?)+/g;
const ROWS = /\(\?\)(?:\s*,\s*\(\?\))+/g;
const TABLE = /\b(?:FROM|INTO|UPDATE|TABLE)\s+(?:IGNORE\s+)?`?([a-z_][a-z0-9_]*)/i;

/** @param sql with `?` for its values; literal values are removed */
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
