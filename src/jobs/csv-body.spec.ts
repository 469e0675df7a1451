import { CsvBody } from './csv-body.js';

type Query = Readonly<Record<string, unknown>>;

function read(text: string | Buffer, query: Query = {}, chunkOctets = Number.POSITIVE_INFINITY): unknown {
  const octets = Buffer.from(text as string);
  const body = new CsvBody(query);
  // The first chunk is longer than a byte order mark.
  for (let at = 0; at < octets.length;) {
    const to = at + Math.max(chunkOctets, at === 0 ? 4 : 1);
    body.write(octets.subarray(at, to));
    at = Math.min(to, octets.length);
  }
  return body.end().value;
}
const emailsIn = (text: string | Buffer, query: Query = {}): unknown =>
  (read(text, query) as { readonly emails: unknown }).emails;
const refusal = (text: string | Buffer, query: Query = {}): unknown => {
  try {
    return read(text, query);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return `${code}: ${message}`;
  }
};

const ADA = 'ada@example.com';
const BOB = 'bob@example.com';
const NO_COLUMN =
  'validation_failed: none of the first 20 rows holds an address; say with column where the addresses are';
const NO_SUCH_COLUMN = 'validation_failed: column must be a name in the header, or a number';

const EMPTY_BELOW_HEADER =
  'validation_failed: the CSV must have at least 1 address below its header; say header=false if it has none';
const BEYOND = 'validation_failed: column must be at most the number of cells in a row';

describe('a CSV body', () => {
  it.each<[string, string, Query?]>([
    ['a line for each address', `${ADA}\n${BOB}`],
    ['line ends of Windows', `${ADA}\r\n${BOB}\r\n`],
    ['line ends of old Macs', `${ADA}\r${BOB}\r`],
    ['a byte order mark', `\ufeff${ADA}\n${BOB}\n`],
    ['a byte order mark before a quotation mark', `\ufeff"${ADA}"\n${BOB}\n`],
    ['blank lines', `\n\r\n${ADA}\n\n\n${BOB}\n\n`],
    ['a header', `E-mail\n${ADA}\n${BOB}`],
    ['the first column that holds an address', `id,mail,other\n1,${ADA},x@example.com\n2,${BOB},y@example.com`],
    ['a column that the first rows do not fill', `n;mail\n1;\n2;${ADA}\n3;${BOB}`, { header: 'true', column: 'MAIL' }],
    ['tabs', `name\tmail\nAda\t${ADA}\nBob\t${BOB}`],
    ['semicolons', `name;mail\n"Lee; Ada";"${ADA}"\nBob;${BOB}`],
    ['a line that tells spreadsheets the delimiter', `\ufeffsep=;\r\nname;mail\r\nAda;${ADA}\r\nBob;${BOB}\r\n`],
    ['a column by its number', `${ADA},x@example.com\n${BOB},y@example.com`, { column: '1' }],
    ['a column by its name, whatever its case', `a@example.com, Mail \nx,${ADA}\ny,${BOB}`, { column: 'mAIL' }],
    ['a header that holds an address', `me@example.com\n${ADA}\n${BOB}`, { header: 'true' }],
    ['line ends in quotation marks', `note,mail\n"two\r\nlines, and ""one""\n",${ADA}\n,${BOB}`],
  ])('is read with %s', (_, text, query = {}) => {
    const emails = (emailsIn(text, query) as string[]).filter((email) => email !== '');
    expect(emails).toEqual([ADA, BOB]);
    // Whatever the network does to it.
    for (let chunkOctets = 1; chunkOctets <= 9; chunkOctets++) {
      expect([chunkOctets, read(text, query, chunkOctets)]).toEqual([chunkOctets, read(text, query)]);
    }
  });

  it('has an entry for each row, also where the cell is empty, missing or no address', () => {
    expect(emailsIn(`n,mail\n1,\n2\n3,nobody\n4,${ADA},more\n5,`)).toEqual(['', '', 'nobody', ADA, '']);
  });

  it('has no entry for the line that tells spreadsheets the delimiter', () => {
    expect(emailsIn(`sep=,\n${ADA},x\n${BOB},y`)).toEqual([ADA, BOB]);
    expect(emailsIn(`SEP=;\r\nmail;x\r\n${ADA};1`, { column: 'mail' })).toEqual([ADA]);
    expect(emailsIn(`mail;x\nsep=;\n${ADA};1`)).toEqual(['sep=', ADA]);
  });

  it('may have a column that only some rows reach', () => {
    expect(emailsIn(`a\nb,${ADA}\nc`, { column: '2', header: 'false' })).toEqual(['', ADA, '']);
    expect(emailsIn(`name,mail\nAda`, { column: '2' })).toEqual(['']);
  });

  it('has cells as they are written: quoted local parts and spaces too', () => {
    const quoted = '"ada lee"@example.com';
    expect(emailsIn(`${ADA}\n ${BOB} \n"""ada lee""@example.com"\n${quoted}\n"x" y "z"`)).toEqual([
      ADA,
      ` ${BOB} `,
      quoted,
      quoted,
      '"x" y "z"',
    ]);
  });

  it('has a first row without a header, if the query says so', () => {
    expect(emailsIn(`nobody\n${ADA}`, { header: 'false' })).toEqual(['nobody', ADA]);
  });

  it('takes mode and name from the query, and nothing else', () => {
    const query = { mode: 'enhanced', name: 'Spring', emails: 'x', column: '1' };
    expect(read(ADA, query)).toEqual({ emails: [ADA], mode: 'enhanced', name: 'Spring' });
  });

  it('has as many rows as a job may have entries, and keeps no more than one beyond', () => {
    expect(emailsIn(`${ADA}\n`.repeat(10_000))).toHaveLength(10_000);
    const body = new CsvBody({});
    body.write(Buffer.from(`${ADA}\n`.repeat(20_000)));
    expect(body.values).toBe(10_001);
    expect(() => body.end()).toThrow('the CSV must have at most 10000 addresses');
  });

  it.each<[string, string | Buffer, Query, string]>([
    ['Latin-1', Buffer.from('é@example.com', 'latin1'), {}, 'invalid_request: The body is not UTF-8.'],
    ['UTF-16', Buffer.from(`\ufeff${ADA}`, 'utf16le'), {}, 'invalid_request: The body is not UTF-8.'],
    ['null characters', `${ADA}\n\0`, {}, 'invalid_request: The body is not CSV: it has null characters.'],
    ['a cut character', Buffer.from(`${ADA}\né`).subarray(0, -1), {}, 'invalid_request: The body is not UTF-8.'],
    [
      'an open quotation mark',
      `${ADA}\n"`,
      {},
      'invalid_request: The body is not CSV: a quotation mark is never closed.',
    ],
    ['a wide row', ADA + ','.repeat(501), {}, 'validation_failed: a row of the CSV must have at most 500 cells'],
    ['nothing', '', {}, 'invalid_request: The CSV is empty: it needs at least 1 address.'],
    ['blank lines', '\n\n', {}, 'validation_failed: the CSV must have at least 1 address'],
    ['a line for spreadsheets alone', 'sep=;\n', {}, 'validation_failed: the CSV must have at least 1 address'],
    ['a header alone', 'mail\n', {}, EMPTY_BELOW_HEADER],
    ['lines without their ends', `mail${ADA}${BOB}`, {}, EMPTY_BELOW_HEADER],
    ['JSON', `{"emails":["${ADA}"]}`, {}, EMPTY_BELOW_HEADER],
    ['a column beyond the rows', `name,mail\nAda,${ADA}`, { column: '3' }, BEYOND],
    ['a column beyond rows without a header', `${ADA}\n${BOB}`, { column: '2', header: 'false' }, BEYOND],
    ['no address', 'a,b\n1,2\n', {}, NO_COLUMN],
    ['no address in many rows', 'a,b\n'.repeat(30), {}, NO_COLUMN],
    ['an unknown column', `mail\n${ADA}`, { column: 'email' }, NO_SUCH_COLUMN],
    ['column 0', `mail\n${ADA}`, { column: '0' }, NO_SUCH_COLUMN],
    [
      'a name without a header',
      ADA,
      { column: 'mail', header: 'false' },
      'validation_failed: column must be a number where there is no header',
    ],
    ['a header that is neither', ADA, { header: 'yes' }, 'validation_failed: header must be one of true, false'],
    ['two columns', ADA, { column: ['a', 'b'] }, 'validation_failed: column must be a string'],
  ])('is refused for %s', (_, text, query, expected) => {
    expect(refusal(text, query)).toBe(expected);
  });
});
