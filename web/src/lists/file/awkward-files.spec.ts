import { ADDED_COLUMNS } from './added-columns';
import { ListFileSession } from './list-file-session';
import { madeUpResults } from './testing/made-up-results';
import { oldExcel, png, utf16, utf8, windows1252, xlsx, type Cell } from './testing/make-files';
import type { FileChoices } from './open-list-file';

const VALID = 'valid,mailbox_accepts,true,allow,0.95,,';
const INVALID = 'invalid,mailbox_not_found,false,deny,0,,';
const REVIEW = 'catch_all,catch_all_domain,,review,0.5,,';
const NAMES = ADDED_COLUMNS.join(',');

function session(bytes: Uint8Array): ListFileSession {
  return new ListFileSession(new Blob([Uint8Array.from(bytes)]));
}

async function readAll(bytes: Uint8Array, choices: FileChoices = {}, column?: number) {
  const file = session(bytes);
  const description = await file.describe(choices);
  const place = { column: column ?? description.candidates[0] ?? 0, header: description.header };
  const { emails, counts } = file.entries(place);
  const results = madeUpResults(emails);
  const output = async (selection: 'everything' | 'deliverable' | 'review') =>
    new Uint8Array(await file.annotated(place, results, selection).arrayBuffer());
  return { file, description, emails, counts, output };
}

const refusalOf = (bytes: Uint8Array): Promise<string> =>
  session(bytes)
    .describe({})
    .then(
      () => 'taken',
      (error: Error) => `${error.name}: ${error.message}`,
    );

describe('a list in a file', () => {
  it('comes back with columns added and its own cells, quotes and line breaks untouched', async () => {
    const text =
      'Name,E-Mail,Note\r\n"Lee, Ann",ann@example.com,"said ""yes""\r\non Monday"\r\nBob ,BAD@example.com,\r\n" Cy","maybe@example.org",x';
    const { description, emails, counts, output } = await readAll(utf8(text));
    expect(description).toMatchObject({ delimiter: ',', encoding: 'utf-8', header: 0, candidates: [1], rows: 3 });
    expect(description.columns.map(({ name }) => name)).toEqual(['Name', 'E-Mail', 'Note']);
    expect(description.preview[0]).toEqual(['Lee, Ann', 'ann@example.com', 'said "yes"\r\non Monday']);
    expect(emails).toEqual(['ann@example.com', 'BAD@example.com', 'maybe@example.org']);
    expect(counts).toEqual({ rows: 3, empty: 0, duplicates: 0, noAddress: 0, addresses: 3 });
    expect(await output('everything')).toEqual(
      utf8(
        `Name,E-Mail,Note,${NAMES}\r\n"Lee, Ann",ann@example.com,"said ""yes""\r\non Monday",${VALID}\r\n` +
          `Bob ,BAD@example.com,,${VALID}\r\n" Cy","maybe@example.org",x,${REVIEW}`,
      ),
    );
  });

  it('is split into what can be delivered and what wants a look', async () => {
    const { output } = await readAll(
      utf8('mail;id\nann@example.com;1\nbad@example.com;2\nmaybe@example.com;3\nann@example.com;4\n'),
    );
    const names = NAMES.replaceAll(',', ';');
    const [valid, review] = [VALID, REVIEW].map((cells) => cells.replaceAll(',', ';'));
    expect(await output('deliverable')).toEqual(
      utf8(`mail;id;${names}\nann@example.com;1;${valid}\nann@example.com;4;${valid}\n`),
    );
    expect(await output('review')).toEqual(utf8(`mail;id;${names}\nmaybe@example.com;3;${review}\n`));
  });

  it.each([
    ['UTF-8 with a byte order mark', (text: string) => utf8(text, true), 'utf-8'],
    ['UTF-16, little-endian', (text: string) => utf16(text, 'le'), 'utf-16le'],
    ['UTF-16, big-endian', (text: string) => utf16(text, 'be'), 'utf-16be'],
    ['UTF-16 without a mark, little-endian', (text: string) => utf16(text, 'le', false), 'utf-16le'],
    ['UTF-16 without a mark, big-endian', (text: string) => utf16(text, 'be', false), 'utf-16be'],
    ['Windows-1252', windows1252, 'windows-1252'],
  ])('keeps its encoding: %s', async (_, encode, encoding) => {
    const { description, emails, output } = await readAll(
      encode('Name;Straße;Mail\r\nJörg Müller;"Königsallee 1; Düsseldorf";ann@example.com\r\n'),
    );
    expect(description).toMatchObject({ encoding, delimiter: ';', header: 0, candidates: [2] });
    expect(description.preview[0]?.[0]).toBe('Jörg Müller');
    expect(emails).toEqual(['ann@example.com']);
    expect(await output('everything')).toEqual(
      encode(
        `Name;Straße;Mail;${NAMES.replaceAll(',', ';')}\r\n` +
          `Jörg Müller;"Königsallee 1; Düsseldorf";ann@example.com;${VALID.replaceAll(',', ';')}\r\n`,
      ),
    );
  });

  it('keeps bytes that are no character in its encoding', async () => {
    const broken = Uint8Array.from([
      ...utf8('Größe,größer,Übung,Äpfel,Öl,ß,ä,ö,ü,é,mail\n'),
      0xff,
      ...utf8(',,,,,,,,,,ann@example.com\n'),
    ]);
    const { description, output } = await readAll(broken);
    expect(description.encoding).toBe('utf-8');
    const written = await output('everything');
    const at = broken.indexOf(0xff);
    expect(written.indexOf(0xff)).toBe(at + NAMES.length + 1);
  });

  it.each(['\t', '|', ';', ',', '^', '~', ':', '\u001f'])('has its cells separated by %j', async (delimiter) => {
    const text =
      ['id', 'mail', 'city'].join(delimiter) + '\n' + ['1', 'ann@example.com', 'Oslo'].join(delimiter) + '\n';
    const { description, emails } = await readAll(utf8(text));
    expect(description.delimiter).toBe(delimiter);
    expect(emails).toEqual(['ann@example.com']);
  });

  it('tells a semicolon file with decimal commas from a comma file', async () => {
    const { description, emails } = await readAll(
      utf8('mail;price;rate\nann@example.com;1,5;2,5\nbob@example.com;2,5;3,1\n'),
    );
    expect(description).toMatchObject({ delimiter: ';', candidates: [0] });
    expect(emails).toHaveLength(2);
  });

  it('may be one address a line, without header and without a last line end', async () => {
    const { description, emails, output } = await readAll(utf8('ann@example.com\nbad@example.com'));
    expect(description).toMatchObject({ delimiter: null, header: null, rows: 2 });
    expect(emails).toEqual(['ann@example.com', 'bad@example.com']);
    expect(await output('everything')).toEqual(utf8(`ann@example.com,${VALID}\nbad@example.com,${INVALID}`));
  });

  it('may end its lines as old Macs do', async () => {
    const { emails, output } = await readAll(utf8('id,mail\r1,ann@example.com\r2,bad@example.com\r'));
    expect(emails).toEqual(['ann@example.com', 'bad@example.com']);
    expect(await output('deliverable')).toEqual(utf8(`id,mail,${NAMES}\r1,ann@example.com,${VALID}\r`));
  });

  it('may mix its line ends, and hold blank lines and short rows', async () => {
    const { counts, output } = await readAll(
      utf8('id,mail,city\r\n1,ann@example.com\n\r\n2,bad@example.com,Oslo,x\r\n,,\r\n'),
    );
    expect(counts).toEqual({ rows: 3, empty: 1, duplicates: 0, noAddress: 0, addresses: 2 });
    expect(await output('everything')).toEqual(
      utf8(
        `id,mail,city,,${NAMES}\r\n1,ann@example.com,,,${VALID}\n\r\n2,bad@example.com,Oslo,x,${INVALID}\r\n,,,,,,,,,,\r\n`,
      ),
    );
  });

  it('has thirty columns', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `c${index}`);
    const row = names.map((name, index) => (index === 17 ? 'ann@example.com' : `${name}, "x"`));
    const quoted = row.map((cell) => `"${cell.replaceAll('"', '""')}"`);
    const { description, emails, output } = await readAll(utf8(`${names.join(',')}\n${quoted.join(',')}\n`));
    expect(description).toMatchObject({ candidates: [17] });
    expect(emails).toEqual(['ann@example.com']);
    expect(await output('everything')).toEqual(utf8(`${names.join(',')},${NAMES}\n${quoted.join(',')},${VALID}\n`));
  });

  it('may have two columns of addresses, about which the page asks', async () => {
    const { description } = await readAll(
      utf8('Owner,Contact\nann@example.com,bob@example.org\ncy@example.com,dee@example.org\neve@example.com,\n'),
    );
    expect(description.candidates).toEqual([0, 1]);
  });

  it('does not ask about a column that holds an address now and then', async () => {
    const rows = Array.from(
      { length: 20 },
      (_, index) => `a${index}@example.com,${index === 3 ? 'b@example.com' : 'note'}`,
    );
    const { description } = await readAll(utf8(`Mail,Note\n${rows.join('\n')}\n`));
    expect(description.candidates).toEqual([0]);
  });

  it('names the separator in a line that only spreadsheets read', async () => {
    const { emails, output } = await readAll(utf8('sep=;\r\nmail;x\r\nann@example.com;1\r\n', true));
    expect(emails).toEqual(['ann@example.com']);
    expect(await output('everything')).toEqual(
      utf8(
        `sep=;\r\nmail;x;${NAMES.replaceAll(',', ';')}\r\nann@example.com;1;${VALID.replaceAll(',', ';')}\r\n`,
        true,
      ),
    );
  });

  it.each([
    ['single quotes', "'Lee, Ann','ann@example.com'\n'Lee, Bob','bad@example.com'\n", ['Lee, Ann', 'ann@example.com']],
    [
      'backslashes before quotes',
      '"say \\"hi, you\\"","ann@example.com"\n"x","bad@example.com"\n',
      ['say "hi, you"', 'ann@example.com'],
    ],
    [
      'quotes in the middle of cells',
      '5" pipe,ann@example.com\n6" pipe,bad@example.com\n',
      ['5" pipe', 'ann@example.com'],
    ],
    [
      'quotes that open cells and mean nothing',
      '"Big Ann\tann@example.com\nBob\tbad@example.com\n',
      ['"Big Ann', 'ann@example.com'],
    ],
  ])('has %s', async (_, text, first) => {
    const { description, emails } = await readAll(utf8(text));
    expect(description.preview[0]).toEqual(first);
    expect(emails).toEqual(['ann@example.com', 'bad@example.com']);
  });

  it('names repeats, empty cells and entries that are no address, and sends each entry once', async () => {
    const long = `${'x'.repeat(400)}@example.com`;
    const { counts, emails, output } = await readAll(
      utf8(
        `id,mail\n1,ann@example.com\n2, ANN@example.com \n3,\n4,nonsense\n5,a..b@example.com\n6,Ann Lee <ann@example.com>\n7,${long}\n`,
      ),
    );
    expect(emails).toEqual(['ann@example.com', 'nonsense', 'a..b@example.com']);
    expect(counts).toEqual({ rows: 7, empty: 1, duplicates: 2, noAddress: 3, addresses: 1 });
    const lines = new TextDecoder().decode(await output('everything')).split('\n');
    expect(lines[2]).toBe(`2, ANN@example.com ,${VALID}`);
    expect(lines[3]).toBe('3,,,,,,,,');
    expect(lines[6]).toBe(`6,Ann Lee <ann@example.com>,${VALID}`);
    expect(lines[7]).toBe(`7,${long},invalid,bad_syntax,false,deny,,,`);
  });

  it('gets no cell that a spreadsheet would run', async () => {
    const { output } = await readAll(utf8('mail\n=1+1@gmial.com\n"a,b"@example.com\n'), { header: true }, 0);
    const lines = new TextDecoder().decode(await output('everything')).split('\n');
    expect(lines[1]).toBe(`=1+1@gmial.com,valid,mailbox_accepts,true,allow,0.95,'=1+1@gmail.com,`);
  });

  it('is found again by its addresses when it is chosen a second time, and another one is not', async () => {
    const text = utf8('id,mail\n1,Ann@example.com\n2,bob@example.com\n');
    const { emails } = await readAll(text);
    const sent = emails.map((email) => email.toLowerCase());
    expect(await session(text).find(sent)).toEqual({ place: { column: 1, header: 0 }, kind: 'text' });
    expect(await session(text).find(2)).toEqual({ place: { column: 1, header: 0 }, kind: 'text' });
    expect(await session(text).find(3)).toBeNull();
    expect(await session(utf8('id,mail\n1,ann@example.com\n2,cy@example.com\n')).find(sent)).toBeNull();
  });

  it.each([',', '|'] as const)(
    'is found again where a person has said that cells are separated by %s',
    async (delimiter) => {
      const text = utf8('ann@example.com,x|cy@example.com\nbob@example.com,x|dan@example.com\n');
      const { emails } = await readAll(text, { delimiter });
      const again = session(text);
      const { place } = (await again.find(emails))!;
      expect(again.entries(place).emails).toEqual(emails);
    },
  );

  it('is read with the header, delimiter and encoding that a person chooses', async () => {
    const { description, emails } = await readAll(utf8('ann@example.com,Ж\nbob@example.com,x\n'), {
      header: true,
      delimiter: ',',
      encoding: 'windows-1251',
    });
    expect(description).toMatchObject({ header: 0, encoding: 'windows-1251', rows: 1 });
    expect(emails).toEqual(['bob@example.com']);
  });

  it('of many megabytes goes back out as it came', async () => {
    const note = 'some note, that is long; '.repeat(40);
    const lines = Array.from({ length: 6000 }, (_, index) => `${index},"${note}",lead${index}@example.com,x`);
    const { counts, output } = await readAll(utf8(`id,note,mail,x\r\n${lines.join('\r\n')}\r\n`));
    expect(counts.addresses).toBe(6000);
    const rows = lines.map((line) => `${line},${VALID}`);
    const expected = utf8(`id,note,mail,x,${NAMES}\r\n${rows.join('\r\n')}\r\n`);
    expect(Buffer.from(await output('everything')).equals(expected)).toBe(true);
  });
});

describe('a workbook', () => {
  const rows: Cell[][] = [
    ['Name', 'Mail', 'Since', 'Total', 'Zip', 'Paid'],
    ['Jörg "J" Müller', 'ann@example.com', { date: 45_000 }, { formula: 'A1+1', value: 12.5 }, 7, true],
    ['=1+1', 'bad@example.com', { date: 45_000.75 }, 0.1 + 0.2, null, false],
    [],
    ['+49 170 1234', { formula: 'LOWER("X")', value: 'maybe@example.com' }],
  ];

  it.each([true, false])('becomes CSV in UTF-8 with a byte order mark (shared strings: %s)', async (sharedStrings) => {
    const { description, emails, output } = await readAll(xlsx({ Leads: rows }, { sharedStrings }));
    expect(description).toMatchObject({
      kind: 'xlsx',
      header: 0,
      candidates: [1],
      sheets: ['Leads'],
      sheet: 'Leads',
      rows: 3,
    });
    expect(emails).toEqual(['ann@example.com', 'bad@example.com', 'maybe@example.com']);
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await output('everything'))).toBe(
      `\ufeffName,Mail,Since,Total,Zip,Paid,${NAMES}\r\n` +
        `"Jörg ""J"" Müller",ann@example.com,2023-03-15,12.5,7,TRUE,${VALID}\r\n` +
        `'=1+1,bad@example.com,2023-03-15 18:00:00,0.3,,FALSE,${INVALID}\r\n` +
        ',,,,,\r\n' +
        `+49 170 1234,maybe@example.com,,,,,${REVIEW}\r\n`,
    );
  });

  it('may count its days from 1904', async () => {
    const { output } = await readAll(
      xlsx(
        {
          S: [
            ['Mail', 'At'],
            ['ann@example.com', { date: 0 }],
          ],
        },
        { date1904: true },
      ),
    );
    expect(new TextDecoder().decode(await output('everything'))).toContain('ann@example.com,1904-01-01,');
  });

  it('is read from its first sheet with rows, or from the one chosen', async () => {
    const book = xlsx({ Empty: [], First: [['ann@example.com']], Second: [['bob@example.com']] });
    expect((await readAll(book)).description).toMatchObject({ sheet: 'First', sheets: ['Empty', 'First', 'Second'] });
    expect((await readAll(book, { sheet: 'Second' })).emails).toEqual(['bob@example.com']);
  });

  it('is read from its first sheet with addresses where those before it have none', async () => {
    const book = xlsx({ 'Read me': [['Leads of May'], ['made by Ann']], Leads: [['Mail'], ['ann@example.com']] });
    const { description, emails } = await readAll(book);
    expect([description.sheet, emails]).toEqual(['Leads', ['ann@example.com']]);
    expect(await refusalOf(xlsx({ One: [['x'], ['y']], Two: [['z'], ['w']] }))).toContain('No column of this file');
  });

  it('is found again in the sheet that was chosen, and comes back from it', async () => {
    const book = xlsx({
      First: [['Mail'], ['ann@example.com']],
      Second: [
        ['Id', 'Mail'],
        [7, 'bob@example.com'],
        [8, 'x'],
      ],
    });
    const { emails } = await readAll(book, { sheet: 'Second' });
    expect(await session(book).find(emails.length)).toEqual({ place: { column: 1, header: 0 }, kind: 'xlsx' });
    const file = session(book);
    const { place } = (await file.find(emails))!;
    const output = file.annotated(place, madeUpResults(emails), 'everything');
    expect(await output.text()).toContain('7,bob@example.com,valid');
  });

  it('may have thousands of rows with dates and formulas', async () => {
    const many: Cell[][] = Array.from({ length: 3000 }, (_, index) => [
      `Lead ${index}`,
      `lead${index}@example.com`,
      { date: 40_000 + (index % 6000) },
      { formula: `D${index}*2`, value: index * 2 },
      'Some Street 5',
      'Oslo',
      index,
      null,
      'x',
      'y',
    ]);
    const { counts, output } = await readAll(
      xlsx({ Leads: [['Name', 'Mail', 'Since', 'Double'], ...many] }, { sharedStrings: true }),
    );
    expect(counts).toEqual({ rows: 3000, empty: 0, duplicates: 0, noAddress: 0, addresses: 3000 });
    expect(new TextDecoder().decode(await output('deliverable')).split('\r\n')).toHaveLength(3002);
  });
});

describe('a file that holds no list', () => {
  it.each([
    ['nothing', new Uint8Array(), 'This file is empty.'],
    ['only a byte order mark', utf8('', true), 'This file has no rows.'],
    ['only white space', utf8('\r\n \r\n'), /^This file has/],
    [
      'JSON',
      utf8('[\n  {"email": "a@example.com"},\n  {"email": "b@example.com"}\n]\n'),
      'This is a JSON file. Save the list as CSV, or as text with one address a line.',
    ],
    [
      'contacts',
      utf8('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ann\r\nEMAIL:ann@example.com\r\nEND:VCARD\r\n', true),
      /^These are contacts \(vCard\)/,
    ],
    ['column names alone', utf8('Name,Mail\r\n'), 'This file has column names and no rows under them.'],
    ['no address', utf8('Name,City\nAnn,Oslo\n'), /^No column of this file holds email addresses/],
    ['a picture named .csv', png(), 'This is a PNG picture, not a list of addresses.'],
    ['an Excel file of the old kind', oldExcel(), /old kind \(\.xls\)/],
    [
      'a protected workbook',
      Uint8Array.from([...oldExcel(), ...utf16('EncryptedPackage', 'le', false)]),
      /protected by a password/,
    ],
    ['a web page named .xls', utf8('<html><table><tr><td>ann@example.com'), /^This is a web page/],
    ['a damaged workbook', xlsx({ S: [['ann@example.com']] }).subarray(0, 300), /damaged/],
    ['a workbook of empty sheets', xlsx({ S: [] }), 'This workbook has no filled rows.'],
    ['binary data', Uint8Array.from({ length: 4000 }, (_, index) => (index * 7919) % 256), /^This is no text/],
    [
      'a quote that is never closed',
      utf8('a,mail\n"x,y",ann@example.com\n"z,bob@example.com\nc,cy@example.com,1\n'),
      /opens in row 3/,
    ],
    ['its addresses in one row', utf8('a@example.com;b@example.com;c@example.com;d@example.com'), /side by side/],
  ])('is refused with a sentence: %s', async (_, bytes, sentence) => {
    const refusal = await refusalOf(bytes);
    expect(refusal).toMatch(/^FileRefusal: /);
    const said = refusal.slice('FileRefusal: '.length);
    if (typeof sentence === 'string') expect(said).toBe(sentence);
    else expect(said).toMatch(sentence);
  });
});
