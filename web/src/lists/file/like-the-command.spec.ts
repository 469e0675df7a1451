import { inputOf } from '../../../../test/factories/input-of.js';
import { findAddressColumn } from '../../../../src/verify-file/input/address-column.js';
import { InputText } from '../../../../src/verify-file/input/input-text.js';
import { readListFile } from '../../../../src/verify-file/input/list-file.js';
import { outputOctets } from '../../../../src/verify-file/output/output-octets.js';
import {
  ADDED_COLUMNS as OF_THE_COMMAND,
  type VerdictCells,
} from '../../../../src/verify-file/output/verdict-cells.js';
import { ADDED_COLUMNS, addedCells } from './added-columns';
import { ListFileSession } from './list-file-session';
import { madeUpResults } from './testing/made-up-results';
import { utf16, utf8, windows1252 } from './testing/make-files';

/** The file as the console gives it back. */
async function ofConsole(octets: Uint8Array): Promise<Buffer> {
  const session = new ListFileSession(new Blob([Uint8Array.from(octets)]));
  const { candidates, header } = await session.describe({});
  const place = { column: candidates[0] ?? 0, header };
  const results = madeUpResults(session.entries(place).emails);
  return Buffer.from(await session.annotated(place, results, 'everything').arrayBuffer());
}

/** The file as `verify-file` gives it back. */
async function ofCommand(octets: Uint8Array): Promise<Buffer> {
  const list = await readListFile(await InputText.read(inputOf(octets)));
  const results = madeUpResults(list.entries);
  const verdicts = list.entries.map((_, entry): VerdictCells => ({
    result: 'unknown',
    kind: 'unknown',
    cells: addedCells(results, entry),
  }));
  const pieces: Buffer[] = [];
  for await (const piece of outputOctets(list, (entry) => verdicts[entry]!, null)) pieces.push(piece);
  return Buffer.concat(pieces);
}

it('the console adds the columns that the command verify-file adds', () => {
  expect(ADDED_COLUMNS).toEqual(OF_THE_COMMAND);
});

describe('the console and the command verify-file ask about the same columns', () => {
  const rows = (cells: (row: number) => readonly string[], header: readonly string[]): string[][] => [
    [...header],
    ...Array.from({ length: 20 }, (_, row) => [...cells(row)]),
  ];
  /** Nearly all of them broken. */
  const broken = (row: number): string => (row < 2 ? `ann${row}@example.com` : `ann${row}@example`);

  it.each<[string, string[][], number[]]>([
    [
      'broken addresses beside a few good ones',
      rows((row) => [broken(row), row === 0 ? 'boss@example.com' : ''], ['E-Mail-Adresse', 'cc']),
      [0, 1],
    ],
    [
      'broken addresses beside message ids',
      rows((row) => [broken(row), `<${row}.x@mail.example.com>`], ['correo', 'id']),
      [1, 0],
    ],
    [
      'addresses beside names of logins',
      rows((row) => [`ann${row}@corp`, `ann${row}@example.com`], ['login', 'メール']),
      [1],
    ],
    ['addresses beside handles', rows((row) => [`@ann${row}`, `ann${row}@example.com`], ['X', 'Почта']), [1]],
    [
      'broken addresses beside handles and pages',
      rows((row) => [`@ann${row}`, `https://example.com/@ann${row}`, broken(row)], ['X', 'Web', '邮箱']),
      [2],
    ],
    [
      'addresses beside notes',
      rows((row) => [`ask ann${row}@example.com`, `ann${row}@example.com`], ['notes', 'mail']),
      [1],
    ],
    [
      'two kinds of addresses',
      rows((row) => [`ann${row}@example.com`, `ann${row}@example.org`], ['work', 'home']),
      [0, 1],
    ],
  ])('of %s', async (_, table, columns) => {
    const csv = table.map((row) => row.join(';')).join('\n');
    const { candidates, header } = await new ListFileSession(new Blob([csv])).describe({});
    expect([candidates, header]).toEqual([columns, 0]);
    const found = (): unknown => findAddressColumn(table);
    if (columns.length === 1) expect(found()).toEqual({ column: columns[0], header: 0 });
    else {
      const names = columns.map((column) => `"${table[0]![column]!}"`).join(', ');
      expect(found).toThrow(`several columns hold addresses: ${names}.`);
    }
  });
});

it('a first row with a broken address, or a wide sign, names no columns', async () => {
  for (const first of ['ann＠example.com', 'ann﹫example.com', 'ann@']) {
    const { header } = await new ListFileSession(new Blob([`${first}\nbob@example.com`])).describe({});
    expect([header, findAddressColumn([[first], ['bob@example.com']])]).toEqual([null, { column: 0, header: null }]);
  }
});

describe('the console and the command verify-file give back the same octets', () => {
  const LEADS =
    'Name;Straße;Mail\r\nJörg;"Weg 1; ""links"""; ann@example.com \r\nBob;;BAD@example.com\r\n;;\r\n\r\nx;y;maybe@example.org';

  it.each([
    ['UTF-8', utf8(LEADS)],
    ['UTF-8 with a byte order mark', utf8(LEADS, true)],
    ['UTF-16', utf16(LEADS, 'le')],
    ['UTF-16, big-endian', utf16(LEADS, 'be')],
    ['UTF-16 without a mark', utf16(LEADS, 'le', false)],
    ['Windows-1252', windows1252(LEADS)],
    ['one address a line', utf8('ann@example.com\nbad@example.com')],
    ['one address a line with a name', utf8('"Lee, Ann" <ann@example.com>\nBob <bad@example.com>\n')],
    ['line ends of old Macs', utf8('id,mail\r1,ann@example.com\r2,"bad@example.com"\r')],
    ['a line for spreadsheets', utf8('sep=;\r\nmail;x\r\nann@example.com;1\r\n')],
    ['decimal commas', utf8('mail;price;rate\nann@example.com;1,5;2,5\nbad@example.com;2,5;3,1\n')],
    ['rows of different widths', utf8('id,mail,city\r\n1,ann@example.com\n\r\n2,bad@example.com,Oslo,x\r\n,,\r\n')],
    ['single quotes', utf8("'Lee, Ann','ann@example.com'\n'Lee, Bob','bad@example.com'\n")],
    ['backslashes', utf8('"say \\"hi, you\\"","ann@example.com"\n"x","bad@example.com"\n')],
    ['quotes in the middle', utf8('Ann "the" boss,ann@example.com\nBob 5",bad@example.com\n')],
    ['quotes that are ordinary', utf8('"Ann,ann@example.com\nBob,bad@example.com\n')],
    ['line breaks in cells', utf8('note,mail\n"a\r\nb\nc",ann@example.com\n"",bad@example.com\n')],
    [
      'broken characters',
      Uint8Array.of(
        ...utf8('n\u00e4me,mail,\u00fc\u00f6\u00df\u00e9\u00e8\u00ea\u00f1\u00e5\u00f8\u00e6\n'),
        0xff,
        ...utf8(',ann@example.com\n'),
      ),
    ],
    ['tabs', utf8('id\tmail\n1\tann@example.com\n')],
    ['bars', utf8('id|mail\n1|ann@example.com\n')],
    ['titles', utf8('\n\nid,mail\n1,ann@example.com\n')],
    ['wide signs', utf8('ann＠example.com\n鈴木＠example.com\nbob@example.com\n')],
    ['what no address is', utf8('id,mail\n1,ann@example.com\n2,nobody\n3,a@b@example.com\n4,nobody\n')],
  ])('of a file with %s', async (_, octets) => {
    expect((await ofCommand(octets)).toString('latin1')).toBe((await ofConsole(octets)).toString('latin1'));
  });
});
