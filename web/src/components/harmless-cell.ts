/** Characters that start a spreadsheet formula, including the wide forms of East Asian keyboards. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
/** Signs that begin a number or a telephone number, which no spreadsheet runs. */
const NUMBER = /^[+-][0-9][0-9 ()./-]*([.,][0-9]+)?$/;
/** Control characters except tab and line ends: a terminal would run them, and many readers refuse a file with one. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

/** Whether a spreadsheet would run a cell with this text as a formula, unless it is a number. */
export function beginsFormula(text: string): boolean {
  return FORMULA.test(text);
}

/** A text of strangers as it may stand in a spreadsheet: one that would be run as a formula gets an apostrophe. */
export function harmlessCell(text: string): string {
  const clean = text.replaceAll(CONTROLS, '');
  return beginsFormula(clean) && !NUMBER.test(clean) ? `'${clean}` : clean;
}
