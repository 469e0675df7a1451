/** How the number in a cell is shown. */
export type NumberFormat = 'number' | 'date' | 'time' | { readonly digits: number };

/** Formats that every workbook has without naming them (ECMA-376 18.8.30). */
const BUILT_IN_DATES = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58,
]);
const BUILT_IN_TIMES = new Set([18, 19, 20, 21, 32, 33, 45, 46, 47]);

const DAY_MS = 86_400_000;
/** Day 0 of the two calendars of Excel. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
/** Excel has a 29th of February 1900, which never was, so days before it count one more. */
const DAY_THAT_NEVER_WAS = 60;
/** Digits that Excel keeps and shows. */
const PRECISION = 15;

/** Reads what a number format shows, from its number and, for one of the workbook's own, its code. */
export function numberFormat(id: number, code?: string): NumberFormat {
  if (code === undefined) return BUILT_IN_DATES.has(id) ? 'date' : BUILT_IN_TIMES.has(id) ? 'time' : 'number';
  const letters = code.replaceAll(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]|_./gi, '').toLowerCase();
  if (/^0{2,}$/.test(letters)) return { digits: letters.length };
  if (/[yd]|mmm/.test(letters)) return 'date';
  return /[hs]/.test(letters) ? 'time' : /m/.test(letters) ? 'date' : 'number';
}

/** A number as text: as Excel shows it without a format, a date as ISO 8601, leading zeros of a postal code kept. */
export function numberText(stored: string, format: NumberFormat, from1904: boolean): string {
  const value = Number(stored);
  if (stored === '' || !Number.isFinite(value)) return stored;
  if (format === 'date' || format === 'time') return momentText(value, format, from1904);
  if (typeof format === 'object') return String(Math.round(value)).padStart(format.digits, '0');
  return String(Number(value.toPrecision(PRECISION)));
}

function momentText(serial: number, format: 'date' | 'time', from1904: boolean): string {
  if (serial < 0) return String(serial);
  const shift = !from1904 && serial < DAY_THAT_NEVER_WAS && serial >= 1 ? 1 : 0;
  const at = Math.round(((serial + shift) * DAY_MS) / 1000) * 1000 + (from1904 ? EPOCH_1904 : EPOCH_1900);
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return String(serial);
  const [date = '', time = ''] = moment.toISOString().slice(0, 19).split('T');
  if (format === 'time' && serial < 1) return time;
  return time === '00:00:00' ? date : `${date} ${time}`;
}

/** The column of a reference such as `AB12`, from 0; null if it names none. */
export function columnOf(reference: string | undefined): number | null {
  if (reference === undefined) return null;
  let column = 0;
  for (const letter of reference) {
    const code = letter.charCodeAt(0) & ~0x20;
    if (code < 0x41 || code > 0x5a) break;
    column = column * 26 + code - 0x40;
  }
  return column === 0 ? null : column - 1;
}

/** Undoes `_x000D_`, by which workbooks write characters that XML has no place for. */
export function unescapedText(text: string): string {
  return text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
