import fc from 'fast-check';
import { inputOf } from '../../../test/factories/input-of.js';
import type { Dialect } from './dialect.js';
import { readRows, UnclosedQuote } from './read-rows.js';

const characters = fc.constantFrom(
  'a',
  'é',
  '@',
  '.',
  ',',
  ';',
  '"',
  "'",
  '\\',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '\t',
  '\u0000',
);
const dialects = fc.record<Dialect>({
  delimiter: fc.constantFrom(',', ';', '\t', ' ', null),
  quote: fc.constantFrom('"', "'", null),
  escape: fc.constantFrom('"', "'", '\\'),
  lineEnd: fc.constantFrom('lf', 'cr'),
});

async function rowsOf(text: string, dialect: Dialect, pieceSize: number): Promise<Buffer[]> {
  const rows: Buffer[] = [];
  for await (const { octets } of readRows(inputOf(Buffer.from(text), pieceSize).read(), dialect)) rows.push(octets);
  return rows;
}

it('the rows of any text are its octets, each once and in order, whatever pieces it comes in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(characters, { maxLength: 40 }).map((all) => all.join('')),
      dialects,
      fc.integer({ min: 1, max: 50 }),
      async (text, dialect, pieceSize) => {
        const whole = await rowsOf(text, dialect, 1000).catch((error: unknown) => error);
        const pieces = await rowsOf(text, dialect, pieceSize).catch((error: unknown) => error);
        if (whole instanceof UnclosedQuote) {
          expect(pieces).toEqual(whole);
          return;
        }
        expect(Buffer.concat(whole as Buffer[]).toString()).toBe(text);
        expect(pieces).toEqual(whole);
      },
    ),
    { numRuns: 300 },
  );
});
