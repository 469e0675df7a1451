import { CsvError, parse, type Info } from 'csv-parse';
import { pipeline, Readable } from 'node:stream';
import { parseOptions, type Dialect } from './dialect.js';

/** One row of a text. */
export interface Row {
  /** Octet by octet: `InputText.decode` gives the text. */
  readonly cells: readonly string[];
  /** The octets it was read from, its line end included. */
  readonly octets: Buffer;
}

/** A quote that is never closed swallowed the rest of the text. */
export class UnclosedQuote extends Error {
  override readonly name = 'UnclosedQuote';
  /** @param row its number, from 1 */
  constructor(readonly row: number) {
    super(`the quote that opens in row ${row} is never closed`);
  }
}

const UNCLOSED: ReadonlySet<string> = new Set(['CSV_QUOTE_NOT_CLOSED', 'CSV_MAX_RECORD_SIZE']);

/**
 * Splits octets into rows. A row keeps the octets that it was read from: csv-parse counts them exactly (`info.bytes`),
 * while its `raw` leaves out half of each CR LF.
 * @throws UnclosedQuote
 */
export async function* readRows(octets: AsyncIterable<Buffer>, dialect: Dialect): AsyncGenerator<Row> {
  const held = new HeldOctets();
  const parser = parse({ ...parseOptions(dialect), info: true });
  pipeline(Readable.from(held.passing(octets)), parser, () => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      yield { cells: record, octets: held.takeTo(info.bytes) };
    }
  } catch (error) {
    if (error instanceof CsvError && UNCLOSED.has(error.code)) throw new UnclosedQuote(Number(error['records']) + 1);
    throw error;
  }
}

/** Octets that the parser has got and no row has taken yet. */
class HeldOctets {
  private readonly chunks: Buffer[] = [];
  private taken = 0;

  async *passing(octets: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of octets) {
      this.chunks.push(chunk);
      yield chunk;
    }
  }

  takeTo(end: number): Buffer {
    const pieces: Buffer[] = [];
    while (this.taken < end) {
      const chunk = this.chunks[0]!;
      const piece = chunk.subarray(0, end - this.taken);
      this.taken += piece.length;
      pieces.push(piece);
      if (piece.length === chunk.length) this.chunks.shift();
      else this.chunks[0] = chunk.subarray(piece.length);
    }
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces);
  }
}
