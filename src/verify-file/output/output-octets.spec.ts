import { InputText } from '../input/input-text.js';
import { readListFile, type ListFile } from '../input/list-file.js';
import { inputOf } from '../../../test/factories/input-of.js';
import { outputOctets } from './output-octets.js';
import { ADDED_COLUMNS, NO_VERDICT, type Kind, type VerdictCells } from './verdict-cells.js';

const NAMES = ADDED_COLUMNS.join(',');
const VALID = 'valid,mailbox_accepts,true,allow,0.95,,';
const INVALID = 'invalid,mailbox_not_found,false,deny,0,,';
const REVIEW = 'catch_all,catch_all_domain,,review,0.5,,';

/** By the first letter of the address. */
const MADE_UP: Readonly<Record<string, VerdictCells>> = {
  a: { result: 'valid', kind: 'deliverable', cells: VALID.split(',') },
  b: { result: 'invalid', kind: 'undeliverable', cells: INVALID.split(',') },
  m: { result: 'catch_all', kind: 'risky', cells: REVIEW.split(',') },
  '=': { result: 'valid', kind: 'deliverable', cells: ['valid', '', '', '', '', '=1+1@example.com', ''] },
};

const list = async (octets: Uint8Array, column?: string): Promise<ListFile> =>
  readListFile(await InputText.read(inputOf(octets)), column);

async function output(found: ListFile, only: Kind | null = null): Promise<Buffer> {
  const verdictOf = (entry: number): VerdictCells => MADE_UP[found.entries[entry]!.toLowerCase()[0]!] ?? NO_VERDICT;
  const pieces: Buffer[] = [];
  for await (const piece of outputOctets(found, verdictOf, only)) pieces.push(piece);
  return Buffer.concat(pieces);
}

const utf8 = (text: string): Buffer => Buffer.from(text);
const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le');
const refusalOf = (octets: Uint8Array, column?: string): Promise<string> =>
  list(octets, column).then(
    () => 'taken',
    (error: Error) => error.message,
  );

describe('a list that is verified', () => {
  it('comes back with columns added and its own cells, quotes and line breaks untouched', async () => {
    const found = await list(
      utf8(
        'Name,E-Mail,Note\r\n"Lee, Ann",ann@example.com,"said ""yes""\r\non Monday"\r\nBob ,BAD@example.com,\r\n" Cy","maybe@example.org",x',
      ),
    );
    expect(found).toMatchObject({ header: 0, column: 1, columnCount: 3, dialect: { delimiter: ',' } });
    expect(found.entries).toEqual(['ann@example.com', 'BAD@example.com', 'maybe@example.org']);
    expect((await output(found)).toString()).toBe(
      `Name,E-Mail,Note,${NAMES}\r\n"Lee, Ann",ann@example.com,"said ""yes""\r\non Monday",${VALID}\r\n` +
        `Bob ,BAD@example.com,,${INVALID}\r\n" Cy","maybe@example.org",x,${REVIEW}`,
    );
  });

  it('has each address once, in whichever case and however often it is written', async () => {
    const found = await list(
      utf8('mail\nann@example.com\nAnn@Example.com\n<ann@example.com>\nno address\nNo Address\n'),
    );
    expect(found.entries).toEqual(['ann@example.com', 'no address']);
    expect([...found.entryOfRow]).toEqual([-1, 0, 0, 0, 1, 1]);
    expect([...found.rowOfEntry]).toEqual([1, 4]);
  });

  it('is written for rows of one kind, with the column names', async () => {
    const found = await list(
      utf8('mail;id\nann@example.com;1\nbad@example.com;2\n\nmaybe@example.com;3\nann@example.com;4\n'),
    );
    const names = NAMES.replaceAll(',', ';');
    const row = (written: string, verdict: string): string => `${written};${verdict.replaceAll(',', ';')}\n`;
    expect((await output(found, 'deliverable')).toString()).toBe(
      `mail;id;${names}\n${row('ann@example.com;1', VALID)}${row('ann@example.com;4', VALID)}`,
    );
    expect((await output(found, 'risky')).toString()).toBe(`mail;id;${names}\n${row('maybe@example.com;3', REVIEW)}`);
    expect((await output(found, 'unknown')).toString()).toBe(`mail;id;${names}\n`);
  });

  it.each([
    ['UTF-8 with a byte order mark', (text: string) => utf8(`\ufeff${text}`), 'utf-8'],
    ['UTF-16, little-endian', (text: string) => utf16le(`\ufeff${text}`), 'utf-16le'],
    ['UTF-16, big-endian', (text: string) => utf16le(`\ufeff${text}`).swap16(), 'utf-16be'],
    ['UTF-16 without a mark, little-endian', (text: string) => utf16le(text), 'utf-16le'],
    ['UTF-16 without a mark, big-endian', (text: string) => utf16le(text).swap16(), 'utf-16be'],
    ['Windows-1252', (text: string) => Buffer.from(text, 'latin1'), 'windows-1252'],
  ])('keeps its encoding: %s', async (_, encode, encoding) => {
    const found = await list(
      encode('Name;Straße;Mail\r\nJörg Müller;"Königsallee 1; Düsseldorf";ann@example.com\r\n'),
      'mail',
    );
    expect(found.text.encoding).toBe(encoding);
    expect(found.entries).toEqual(['ann@example.com']);
    expect(await output(found)).toEqual(
      encode(
        `Name;Straße;Mail;${NAMES.replaceAll(',', ';')}\r\n` +
          `Jörg Müller;"Königsallee 1; Düsseldorf";ann@example.com;${VALID.replaceAll(',', ';')}\r\n`,
      ),
    );
  });

  it('keeps octets that are no character in its encoding', async () => {
    const broken = Buffer.concat([
      utf8('Größe,größer,Übung,Äpfel,Öl,ß,ä,ö,ü,é,mail\n'),
      Buffer.of(0xff),
      utf8(',,,,,,,,,,ann@example.com\n'),
    ]);
    const found = await list(broken);
    expect(found.text.encoding).toBe('utf-8');
    expect((await output(found)).indexOf(0xff)).toBe(broken.indexOf(0xff) + NAMES.length + 1);
  });

  it.each(['\t', '|', ';', ',', '^', '~', ':', '\u001f'])('has its cells separated by %j', async (delimiter) => {
    const rows = [
      ['id', 'mail', 'city'],
      ['1', 'ann@example.com', 'Oslo'],
    ].map((cells) => cells.join(delimiter));
    const found = await list(utf8(`${rows.join('\n')}\n`));
    expect(found).toMatchObject({ dialect: { delimiter }, entries: ['ann@example.com'] });
  });

  it('may be one address a line, without header and without a last line end', async () => {
    const found = await list(utf8('ann@example.com\nbad@example.com'));
    expect(found).toMatchObject({ header: null, dialect: { delimiter: null } });
    expect((await output(found)).toString()).toBe(`ann@example.com,${VALID}\nbad@example.com,${INVALID}`);
  });

  it('may end its lines as old Macs do', async () => {
    const found = await list(utf8('id,mail\r1,ann@example.com\r2,bad@example.com\r'));
    expect((await output(found, 'deliverable')).toString()).toBe(`id,mail,${NAMES}\r1,ann@example.com,${VALID}\r`);
  });

  it('may mix its line ends, and hold blank lines, long rows and short ones', async () => {
    const found = await list(utf8('id,mail,city\r\n1,ann@example.com\n\r\n2,bad@example.com,Oslo,x\r\n,,\r\n'));
    expect((await output(found)).toString()).toBe(
      `id,mail,city,,${NAMES}\r\n1,ann@example.com,,,${VALID}\n\r\n2,bad@example.com,Oslo,x,${INVALID}\r\n,,,,,,,,,,\r\n`,
    );
  });

  it('names the separator in a line that only spreadsheets read', async () => {
    const found = await list(utf8('\ufeffsep=;\r\nmail;x\r\nann@example.com;1\r\n'));
    expect((await output(found)).toString()).toBe(
      `\ufeffsep=;\r\nmail;x;${NAMES.replaceAll(',', ';')}\r\nann@example.com;1;${VALID.replaceAll(',', ';')}\r\n`,
    );
  });

  it('may have titles above its column names', async () => {
    const found = await list(utf8('\n\nid,mail\n1,ann@example.com\n'));
    expect((await output(found)).toString()).toBe(`\n\nid,mail,${NAMES}\n1,ann@example.com,${VALID}\n`);
  });

  it.each([
    ['single quotes', "'Lee, Ann','ann@example.com'\n'Lee, Bob','bad@example.com'\n"],
    ['backslashes before quotes', '"say \\"hi, you\\"","ann@example.com"\n"x","bad@example.com"\n'],
    ['quotes that open no cell', 'Ann "the, boss,ann@example.com\nBob "the, boss,bad@example.com\n'],
    ['a quote that is an ordinary character', '"Ann,ann@example.com\nBob,bad@example.com\n'],
    ['spaces after delimiters', 'Ann, ann@example.com\nBob, bad@example.com\n'],
  ])('may have %s', async (_, text) => {
    const found = await list(utf8(text));
    expect(found.entries).toEqual(['ann@example.com', 'bad@example.com']);
    const lines = text.split('\n');
    expect((await output(found)).toString()).toBe(`${lines[0]},${VALID}\n${lines[1]},${INVALID}\n`);
  });

  it('gets no cell that a spreadsheet would run', async () => {
    const found = await list(utf8('mail\n=1+1@gmial.com\n'));
    expect((await output(found)).toString()).toContain(`=1+1@gmial.com,valid,,,,,'=1+1@example.com,\n`);
  });

  it('says bad_syntax of a cell that is too long for an address', async () => {
    const long = `${'x'.repeat(2000)}@example.com`;
    const found = await list(utf8(`id,mail\n1,ann@example.com\n2,${long}\n`));
    expect(found.entries).toEqual(['ann@example.com']);
    expect((await output(found)).toString()).toContain(`2,${long},invalid,bad_syntax,false,deny,,,\n`);
  });

  it.each([1, 3, 64])('is read alike in pieces of %i octets', async (size) => {
    const octets = utf8('Näme,Mail\r\n"A\r\n""B""",ann@example.com\r\nx,bad@example.com');
    const found = await readListFile(await InputText.read(inputOf(octets, size)));
    expect((await output(found)).toString()).toBe(
      `Näme,Mail,${NAMES}\r\n"A\r\n""B""",ann@example.com,${VALID}\r\nx,bad@example.com,${INVALID}`,
    );
  });
});

describe('the column of addresses', () => {
  const TWO = 'Owner,Contact\nann@example.com,bob@example.org\ncy@example.com,dee@example.org\n';
  const ALIKE = TWO.replace('Owner,Contact', 'Mail,Mail');

  it.each([
    ['Contact', 1],
    ['contact', 1],
    ['2', 1],
    ['1', 0],
  ])('is the one named with --column %s', async (column, expected) => {
    expect(await list(utf8(TWO), column)).toMatchObject({ column: expected, header: 0 });
  });

  it('is the one in the same letters where another differs in case', async () => {
    expect(await list(utf8(TWO.replace('Owner,Contact', 'mail,Mail')), 'Mail')).toMatchObject({ column: 1 });
  });

  it.each([
    [TWO, undefined, 'several columns hold addresses: "Owner", "Contact". Type --column and the one you mean'],
    [ALIKE, undefined, 'several columns hold addresses: 1, 2. Type --column and the one you mean'],
    [ALIKE, 'mail', 'several columns are named mail. Type --column with the number of one: 1 or 2'],
    [TWO, 'Mail', 'there is no column Mail. Type --column with one of: "Owner", "Contact"'],
    ['ann@example.com,1\nbob@example.com,2\n', '3', 'there is no column 3. Type --column with a number from 1 to 2'],
    [
      'Name,City\nAnn,Oslo\n',
      undefined,
      'no column holds email addresses, each in a cell of its own. If one does, type --column with one of: "Name", "City"',
    ],
  ])('that is not told from %j with --column %s is asked for', async (text, column, sentence) => {
    expect(await refusalOf(utf8(text), column)).toBe(sentence);
  });

  it('has a name that no terminal runs', async () => {
    const refusal = await refusalOf(utf8(`\u001b[2JName,City\n${'Ann,Oslo\n'.repeat(20)}`));
    expect(refusal).toContain('type --column with one of: "[2JName", "City"');
  });

  it('is not one that holds an address now and then', async () => {
    const rows = Array.from({ length: 20 }, (_, row) => `a${row}@example.com,${row === 3 ? 'b@example.com' : 'note'}`);
    expect(await list(utf8(`Mail,Note\n${rows.join('\n')}\n`))).toMatchObject({ column: 0 });
  });
});

it.each([
  ['nothing', '', 'leads.csv is empty'],
  ['blank lines', '\n\n', 'the file has no rows'],
  [
    'contacts',
    'BEGIN:VCARD\r\nEMAIL:ann@example.com\r\n',
    'leads.csv holds contacts (vCard). Export them as CSV from your address book, and name that file',
  ],
  ['a workbook', 'PK\u0003\u0004', 'leads.csv is a workbook or ZIP archive. Save the sheet as CSV, and name that file'],
  ['no text', '\u0002\u0003\u0004\u0005'.repeat(100), 'leads.csv is no text. Save the list as CSV, and name that file'],
  [
    'a quote that is never closed',
    'a,mail\nx,ann@example.com\n"y,bob@example.com\nz,cy@example.com,1\n',
    'leads.csv: the quotation mark that opens in row 3 is never closed. Correct that row, and type the same again',
  ],
])('a file of %s is refused with a sentence', async (_, text, sentence) => {
  expect(await refusalOf(utf8(text))).toBe(sentence);
});
