import { utf16, utf8, windows1252 } from '../../../web/src/lists/file/testing/make-files';

/** A row of a file as its program wrote it, and the address in it. */
export interface AwkwardRow {
  readonly text: string;
  /** Null: the row has no entry, and `added` is empty cells; `header`: it names the columns. */
  readonly email: string | null;
  readonly isHeader?: boolean;
  readonly lineEnd?: string;
  /** Cells that the row has fewer than others. */
  readonly missing?: number;
}

export interface AwkwardList {
  readonly name: string;
  readonly fileName: string;
  readonly delimiter: string;
  readonly encode: (text: string) => Uint8Array;
  readonly before?: string;
  readonly rows: readonly AwkwardRow[];
  readonly lineEnd: string;
  /** The last row has no line end. */
  readonly isOpen?: boolean;
  /** The column to choose where two hold addresses. */
  readonly column?: string;
}

const row = (text: string, email: string | null, rest: Partial<AwkwardRow> = {}): AwkwardRow => ({
  text,
  email,
  ...rest,
});
const header = (text: string, rest: Partial<AwkwardRow> = {}): AwkwardRow =>
  row(text, null, { isHeader: true, ...rest });

/** Files as they come, each with the addresses given in cells of every kind. */
export function awkwardLists([ann = '', bob = '', cy = '']: readonly string[]): readonly AwkwardList[] {
  const umlauts = [
    header('Name;Straße;Mail'),
    row(`Jörg Müller;"Königsallee 1; Düsseldorf";${ann}`, ann),
    row(`Zoë;;${bob}`, bob),
  ];
  const columns = Array.from({ length: 30 }, (_, index) => `c${index}`);
  const wide = (email: string): string =>
    columns.map((name, index) => (index === 17 ? email : `"${name}, ""x"""`)).join(',');
  return [
    {
      name: 'a byte order mark',
      fileName: 'bom.csv',
      delimiter: ',',
      encode: (text) => utf8(text, true),
      lineEnd: '\r\n',
      rows: [header('id,mail'), row(`1,${ann}`, ann), row(`2,${bob}`, bob)],
    },
    {
      name: 'UTF-16',
      fileName: 'utf16.csv',
      delimiter: ';',
      encode: (text) => utf16(text, 'le'),
      lineEnd: '\r\n',
      rows: umlauts,
    },
    {
      name: 'UTF-16, big-endian',
      fileName: 'utf16be.txt',
      delimiter: ';',
      encode: (text) => utf16(text, 'be'),
      lineEnd: '\n',
      rows: umlauts,
    },
    {
      name: 'Windows-1252 umlauts',
      fileName: 'ansi.csv',
      delimiter: ';',
      encode: windows1252,
      lineEnd: '\r\n',
      rows: umlauts,
    },
    {
      name: 'quoted line breaks',
      fileName: 'breaks.csv',
      delimiter: ',',
      encode: utf8,
      lineEnd: '\r\n',
      isOpen: true,
      rows: [header('mail,note'), row(`"${ann}","said ""yes""\r\n\non Monday"`, ann), row(`${bob},`, bob)],
    },
    {
      name: 'tabs',
      fileName: 'tabs.tsv',
      delimiter: '\t',
      encode: utf8,
      lineEnd: '\n',
      rows: [header('mail\tname'), row(`${ann}\t5" pipe`, ann), row(`${bob}\t`, bob)],
    },
    {
      name: 'vertical bars',
      fileName: 'bars.txt',
      delimiter: '|',
      encode: utf8,
      lineEnd: '\n',
      rows: [row(`1|${ann}|x`, ann), row(`2|${bob}|y`, bob)],
    },
    {
      name: 'no header, one address a line, no last line end',
      fileName: 'plain.txt',
      delimiter: ',',
      encode: utf8,
      lineEnd: '\n',
      isOpen: true,
      rows: [row(ann, ann), row(bob, bob), row(cy, cy)],
    },
    {
      name: 'thirty columns',
      fileName: 'wide.csv',
      delimiter: ',',
      encode: utf8,
      lineEnd: '\n',
      rows: [header(columns.join(',')), row(wide(ann), ann), row(wide(bob), bob)],
    },
    {
      name: "an old Mac's line ends",
      fileName: 'mac.csv',
      delimiter: ',',
      encode: utf8,
      lineEnd: '\r',
      rows: [header('id,mail'), row(`1,${ann}`, ann)],
    },
    {
      name: 'mixed line ends, short rows and repeats',
      fileName: 'mixed.csv',
      delimiter: ',',
      encode: utf8,
      lineEnd: '\n',
      rows: [
        header('id,mail,city', { lineEnd: '\r\n' }),
        row(`1,${ann}`, ann, { missing: 1 }),
        row(`2, ${ann.toUpperCase()} ,Oslo`, ann, { lineEnd: '\r\n' }),
        row('3,,', null),
        row(`4,Ann Lee <${bob}>,x`, bob),
      ],
    },
    {
      name: 'a line for Excel',
      fileName: 'sep.csv',
      delimiter: ';',
      encode: (text) => utf8(text, true),
      before: 'sep=;\r\n',
      lineEnd: '\r\n',
      rows: [header('mail;price'), row(`${ann};1,5`, ann), row(`${bob};2,5`, bob)],
    },
    {
      name: 'two columns of addresses',
      fileName: 'two.csv',
      delimiter: ',',
      encode: utf8,
      lineEnd: '\n',
      column: 'Contact',
      rows: [header('Owner,Contact'), row(`${cy},${ann}`, ann), row(`${cy},${bob}`, bob)],
    },
  ];
}

/** The file as it was, and as it must come back: `added` gives the verdict of an address, separated by commas. */
export function fileOf(
  list: AwkwardList,
  added?: { readonly names: string; readonly of: (email: string) => string },
): Buffer {
  const empty = added?.names.replaceAll(/[^,]/g, '') ?? '';
  const lines = list.rows.map(({ text, email, isHeader = false, lineEnd = list.lineEnd, missing = 0 }, index) => {
    const end = list.isOpen && index === list.rows.length - 1 ? '' : lineEnd;
    if (!added) return text + end;
    const cells = isHeader ? added.names : email === null ? empty : added.of(email);
    return `${text}${list.delimiter.repeat(missing + 1)}${cells.replaceAll(',', list.delimiter)}${end}`;
  });
  return Buffer.from(list.encode((list.before ?? '') + lines.join('')));
}
