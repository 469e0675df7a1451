import { unzipSync, type Unzipped } from 'fflate';
import { SaxesParser } from 'saxes';
import { FileRefusal } from './file-refusal';
import type { ListTable } from './list-table';
import { columnOf, numberFormat, numberText, unescapedText, type NumberFormat } from './workbook-cells';

/** More than any list needs; a crafted archive of a megabyte could unpack to many gigabytes. */
const MOST_UNPACKED = 600 * 1024 * 1024;
const MOST_COLUMNS = 16_384;
/** XML is read in pieces of this size. */
const PIECE = 1024 * 1024;

const DAMAGED = 'This workbook is damaged. Open it in a spreadsheet, save it as XLSX or CSV, and choose it again.';

/** Archives that are no workbook, by a file inside them. */
const OTHER_ARCHIVES: readonly (readonly [RegExp, string])[] = [
  [/^xl\/workbook\.bin$/, 'This is a binary workbook (.xlsb). Save it as XLSX or CSV.'],
  [/^content\.xml$/, 'This is an OpenDocument file (.ods). Save it as XLSX or CSV.'],
  [/^word\//, 'This is a Word document. Copy the list into a spreadsheet and save it as XLSX or CSV.'],
  [/^ppt\//, 'This is a presentation, not a list of addresses.'],
  [/^Index\/.*\.iwa$|^Index\.zip$/, 'This is a Numbers document. Export it as XLSX or CSV.'],
];

interface Sheet {
  readonly name: string;
  readonly path: string;
}

/** The rows of one sheet of a workbook, each cell as the text that a spreadsheet would save it as. */
export class SheetTable implements ListTable {
  readonly kind = 'xlsx';
  readonly rowCount: number;
  readonly columnCount: number;

  constructor(
    private readonly rows: readonly (readonly string[])[],
    readonly sheets: readonly string[],
    readonly sheet: string,
  ) {
    this.rowCount = rows.length;
    this.columnCount = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  }

  cell(row: number, column: number): string {
    return this.rows[row]?.[column] ?? '';
  }

  isBlank(row: number): boolean {
    return (this.rows[row] ?? []).every((cell) => cell === '');
  }
}

/** Reads the sheets of an XLSX file that hold anything, one after the other, or the one asked for. Throws a `FileRefusal`. */
export function* readWorkbook(bytes: Uint8Array, asked?: string): Generator<SheetTable> {
  try {
    yield* new WorkbookReader(bytes).read(asked);
  } catch (error) {
    if (error instanceof FileRefusal) throw error;
    throw new FileRefusal(DAMAGED);
  }
}

class WorkbookReader {
  private strings: string[] = [];
  private formats: NumberFormat[] = [];
  private from1904 = false;

  constructor(private readonly bytes: Uint8Array) {}

  *read(asked?: string): Generator<SheetTable> {
    const names = this.names();
    const workbook = names.find((name) => /^xl\/workbook\d*\.xml$/i.test(name)) ?? names.find(isWorkbook);
    if (workbook === undefined) throw new FileRefusal(otherArchive(names));
    const folder = workbook.slice(0, workbook.lastIndexOf('/') + 1);
    const relations = `${folder}_rels/${workbook.slice(folder.length)}.rels`;
    const parts = this.unpack(
      (name) => [workbook, relations].includes(name) || /(^|\/)(sharedStrings|styles)\d*\.xml$/i.test(name),
    );
    const sheets = this.sheets(parts[workbook], parts[relations], folder);
    for (const [name, part] of Object.entries(parts)) {
      if (/sharedStrings/i.test(name)) this.strings = readStrings(part);
      if (/styles/i.test(name)) this.formats = readFormats(part);
    }
    const named = sheets.map(({ name }) => name);
    const wanted = asked === undefined ? sheets : sheets.filter(({ name }) => name === asked);
    let areEmpty = true;
    for (const sheet of wanted) {
      const rows = this.rows(sheet.path);
      if (rows.length === 0) continue;
      areEmpty = false;
      yield new SheetTable(rows, named, sheet.name);
    }
    if (!areEmpty) return;
    throw new FileRefusal(asked === undefined ? 'This workbook has no filled rows.' : `The sheet "${asked}" is empty.`);
  }

  private names(): string[] {
    const names: string[] = [];
    unzipSync(this.bytes, { filter: ({ name }) => (names.push(name), false) });
    return names;
  }

  private unpack(wanted: (name: string) => boolean): Unzipped {
    let size = 0;
    return unzipSync(this.bytes, {
      filter: ({ name, originalSize }) => {
        if (!wanted(name)) return false;
        size += originalSize;
        if (size > MOST_UNPACKED) {
          throw new FileRefusal('This workbook is too large to be read in a browser. Save the sheet as CSV.');
        }
        return true;
      },
    });
  }

  private sheets(workbook: Uint8Array | undefined, relations: Uint8Array | undefined, folder: string): Sheet[] {
    const targets = new Map<string, string>();
    readXml(relations, ({ name, attributes }) => {
      if (name === 'Relationship') targets.set(attributes['Id'] ?? '', attributes['Target'] ?? '');
    });
    const sheets: Sheet[] = [];
    readXml(workbook, ({ name, attributes }) => {
      if (name === 'workbookPr') this.from1904 = /^(1|true)$/.test(attributes['date1904'] ?? '');
      if (name !== 'sheet' || (attributes['state'] ?? 'visible') !== 'visible') return;
      const target = targets.get(attributes['r:id'] ?? attributes['id'] ?? '') ?? '';
      if (target !== '') {
        const path = target.startsWith('/') ? target.slice(1) : folder + target;
        sheets.push({ name: attributes['name'] ?? '', path });
      }
    });
    return sheets;
  }

  private rows(path: string): string[][] {
    const part = this.unpack((name) => name === path)[path];
    const rows: string[][] = [];
    let row: string[] = [];
    let column = 0;
    let kind = '';
    let format: NumberFormat = 'number';
    let text: string | null = null;
    let value = '';
    const open = ({ name, attributes }: Tag): void => {
      if (name === 'row') {
        const number = Number(attributes['r'] ?? rows.length + 1);
        while (rows.length < number - 1) rows.push([]);
        row = [];
        rows.push(row);
        column = -1;
      } else if (name === 'c') {
        column = Math.min(columnOf(attributes['r']) ?? column + 1, MOST_COLUMNS);
        kind = attributes['t'] ?? 'n';
        format = this.formats[Number(attributes['s'] ?? 0)] ?? 'number';
        value = '';
      } else if (name === 'v' || name === 't') {
        text = '';
      } else if (name === 'rPh') {
        text = null;
      }
    };
    const close = (name: string): void => {
      if ((name === 'v' || name === 't') && text !== null) {
        value += text;
        text = null;
      } else if (name === 'c') {
        const cell = this.cellText(kind, value, format);
        if (cell === '') return;
        while (row.length < column) row.push('');
        row[column] = cell;
      }
    };
    readXml(part, open, close, (piece) => {
      if (text !== null) text += piece;
    });
    while (rows.at(-1)?.length === 0) rows.pop();
    return rows;
  }

  private cellText(kind: string, value: string, format: NumberFormat): string {
    if (kind === 's') return this.strings[Number(value)] ?? '';
    if (kind === 'b') return value === '1' ? 'TRUE' : value === '0' ? 'FALSE' : value;
    return kind === 'n' ? numberText(value, format, this.from1904) : unescapedText(value);
  }
}

function isWorkbook(name: string): boolean {
  return /(^|\/)workbook\.xml$/i.test(name);
}

function otherArchive(names: readonly string[]): string {
  const known = OTHER_ARCHIVES.find(([inside]) => names.some((name) => inside.test(name)));
  return known?.[1] ?? 'This is a ZIP archive, not a workbook. Unpack it and choose the list inside.';
}

function readStrings(part: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  let isText = false;
  let isPhonetic = false;
  let text = '';
  const open = ({ name }: Tag): void => {
    if (name === 'si') text = '';
    else if (name === 'rPh') isPhonetic = true;
    else if (name === 't') isText = true;
  };
  const close = (name: string): void => {
    if (name === 'si') strings.push(unescapedText(text));
    else if (name === 'rPh') isPhonetic = false;
    else if (name === 't') isText = false;
  };
  readXml(part, open, close, (piece) => {
    if (isText && !isPhonetic) text += piece;
  });
  return strings;
}

/** The number format of each cell style, by the style's number. */
function readFormats(part: Uint8Array | undefined): NumberFormat[] {
  const codes = new Map<number, string>();
  const formats: NumberFormat[] = [];
  let inStyles = false;
  const open = ({ name, attributes }: Tag): void => {
    if (name === 'numFmt') codes.set(Number(attributes['numFmtId']), attributes['formatCode'] ?? '');
    else if (name === 'cellXfs') inStyles = true;
    else if (name === 'xf' && inStyles) {
      const id = Number(attributes['numFmtId'] ?? 0);
      formats.push(numberFormat(id, codes.get(id)));
    }
  };
  readXml(part, open, (name) => {
    if (name === 'cellXfs') inStyles = false;
  });
  return formats;
}

interface Tag {
  /** Without the prefix that some programs write. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

function readXml(
  part: Uint8Array | undefined,
  onOpen: (tag: Tag) => void,
  onClose: (name: string) => void = () => {},
  onText: (text: string) => void = () => {},
): void {
  if (part === undefined) return;
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => onOpen({ name: localName(name), attributes }));
  parser.on('closetag', ({ name }) => onClose(localName(name)));
  parser.on('text', onText);
  parser.on('cdata', onText);
  const decoder = new TextDecoder('utf-8');
  for (let at = 0; at < part.length; at += PIECE) {
    parser.write(decoder.decode(part.subarray(at, at + PIECE), { stream: true }));
  }
  parser.write(decoder.decode()).close();
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
