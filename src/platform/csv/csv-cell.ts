/** Line end of RFC 4180. */
const LINE_END = '\r\n';
/** Characters that start a spreadsheet formula, including the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Control characters except tab and line ends: a terminal would run them, and many readers refuse a file with one. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;
const NEEDS_QUOTES = /[",;\r\n\t]|^ | $/;

/**
 * A value as a cell (RFC 4180). Null becomes an empty cell; lists are joined by spaces. Texts may come from strangers and
 * be crafted as formulas, so a text that a spreadsheet would run gets a leading apostrophe. Control characters are removed.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return csvCell(value.join(' '));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replaceAll(CONTROLS, '');
  const harmless = FORMULA.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** @param cells already written by `csvCell` */
export function csvLine(cells: readonly string[]): string {
  return cells.join(',') + LINE_END;
}
