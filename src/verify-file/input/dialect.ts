import type { Options } from 'csv-parse';

/** How rows and cells of a text are told apart. */
export interface Dialect {
  /** Null: every row is one cell. */
  readonly delimiter: string | null;
  /** Null: no cell is quoted. */
  readonly quote: '"' | "'" | null;
  readonly escape: '"' | "'" | '\\';
  /** `lf`: a row ends with LF or CR LF; `cr`: with CR, as old Macs write. */
  readonly lineEnd: 'lf' | 'cr';
}

/** Stands in no text, so every row is one cell. */
const NO_DELIMITER = '\u0000\u0001\u0000';
/** A longer row is a quote that is never closed. */
const LONGEST_ROW = 1024 * 1024;

/** Reads octet by octet, and takes any text: what is no proper quote is an ordinary character. */
export function parseOptions({ delimiter, quote, escape, lineEnd }: Dialect): Options {
  return {
    encoding: 'latin1',
    delimiter: delimiter ?? NO_DELIMITER,
    quote,
    escape,
    record_delimiter: lineEnd === 'cr' ? ['\r\n', '\n', '\r'] : ['\r\n', '\n'],
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: false,
    max_record_size: LONGEST_ROW,
  };
}
