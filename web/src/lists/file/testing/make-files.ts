import { strToU8, zipSync, type Zippable } from 'fflate';

/** Files as people's programs write them, for the specs and the browser tests. */

export function utf8(text: string, bom = false): Uint8Array {
  return new TextEncoder().encode(bom ? `\ufeff${text}` : text);
}

export function utf16(text: string, order: 'le' | 'be', bom = true): Uint8Array {
  const marked = bom ? `\ufeff${text}` : text;
  const bytes = new Uint8Array(marked.length * 2);
  const view = new DataView(bytes.buffer);
  for (let at = 0; at < marked.length; at++) view.setUint16(at * 2, marked.charCodeAt(at), order === 'le');
  return bytes;
}

/** Windows-1252 of text whose characters are those of Latin-1, or the euro sign. */
export function windows1252(text: string): Uint8Array {
  return Uint8Array.from([...text], (character) => (character === '€' ? 0x80 : character.charCodeAt(0)));
}

export function png(): Uint8Array {
  return Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d, 0x49, 0x48, 0x44, 0x52);
}

/** The beginning of a compound file, as Excel wrote .xls until 2003. */
export function oldExcel(): Uint8Array {
  const bytes = new Uint8Array(2048);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  return bytes;
}

/** A cell of a workbook: a text, a number, a date by its serial, or a formula with the value it had when it was saved. */
export type Cell =
  | string
  | number
  | boolean
  | null
  | { readonly date: number }
  | { readonly formula: string; readonly value: string | number };

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface WorkbookOptions {
  readonly sharedStrings?: boolean;
  readonly date1904?: boolean;
}

/** An XLSX file of the sheets given. */
export function xlsx(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
  options: WorkbookOptions = {},
): Uint8Array {
  const strings: string[] = [];
  const names = Object.keys(sheets);
  const files: Zippable = {
    'xl/workbook.xml': strToU8(
      `${DECLARATION}<workbook ${MAIN} xmlns:r="${RELATIONS}"><workbookPr date1904="${options.date1904 ? 1 : 0}"/><sheets>${names
        .map((name, index) => `<sheet name="${escaped(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
        .map(
          (_, index) =>
            `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join('')}</Relationships>`,
    ),
    'xl/styles.xml': strToU8(
      `${DECLARATION}<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy;@"/>` +
        '<numFmt numFmtId="165" formatCode="00000"/></numFmts><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="164"/>' +
        '<xf numFmtId="165"/></cellXfs></styleSheet>',
    ),
  };
  for (const [index, name] of names.entries()) {
    const rows = (sheets[name] ?? []).map((row, number) => {
      const cells = row.map((cell, column) => cellXml(cell, `${columnName(column)}${number + 1}`, options, strings));
      return `<row r="${number + 1}">${cells.join('')}</row>`;
    });
    files[`xl/worksheets/sheet${index + 1}.xml`] = strToU8(
      `${DECLARATION}<worksheet ${MAIN}><sheetData>${rows.join('')}</sheetData></worksheet>`,
    );
  }
  if (strings.length > 0) {
    files['xl/sharedStrings.xml'] = strToU8(
      `${DECLARATION}<sst ${MAIN}>${strings.map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    );
  }
  return zipSync(files);
}

function cellXml(cell: Cell, reference: string, { sharedStrings }: WorkbookOptions, strings: string[]): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'object' && 'date' in cell) return `<c r="${reference}" s="1"><v>${cell.date}</v></c>`;
  if (typeof cell === 'object') {
    const kind = typeof cell.value === 'string' ? ' t="str"' : '';
    return `<c r="${reference}"${kind}><f>${escaped(cell.formula)}</f><v>${escaped(String(cell.value))}</v></c>`;
  }
  if (sharedStrings) return `<c r="${reference}" t="s"><v>${strings.push(cell) - 1}</v></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
}

function columnName(column: number): string {
  const rest = Math.floor(column / 26);
  return (rest > 0 ? columnName(rest - 1) : '') + String.fromCharCode(65 + (column % 26));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
