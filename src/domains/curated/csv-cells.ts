import { parse } from 'csv-parse/sync';

/** The cells of one line of CSV (RFC 4180), trimmed; a quoted cell must end on its line. Null if quotes do not match. */
export function csvCells(line: string): string[] | null {
  // Most lists have no quotes, and a million lines.
  if (!line.includes('"')) return line.split(',').map((cell) => cell.trim());
  try {
    const [cells = []] = parse(line, { trim: true });
    return cells.map((cell) => cell.trim());
  } catch {
    return null;
  }
}
