import { createHash } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { CommandError } from '../../platform/cli/command-error.js';
import { EncodingScan, type Encoding, type FoundEncoding } from './encoding-scan.js';
import type { Input } from './open-input.js';

/** Delimiters that are looked for. */
export const DELIMITERS = [',', ';', '\t', '|', ':', '^', '~', ' ', '\u001f', '\u0001'] as const;

const SEPARATOR_LINE = /^sep=([,;\t|])\r?\n/i;
const CONTACTS = /^begin:vcard/i;
const SAMPLE = 128 * 1024;
const NOT_ASCII = /[^\u0000-\u007f]/; // oxlint-disable-line no-control-regex

/** Kinds of files that people name by mistake. */
const SIGNATURES: readonly (readonly [starts: string, sentence: string])[] = [
  ['PK', 'a workbook or ZIP archive. Save the sheet as CSV, and name that file'],
  ['\u00d0\u00cf\u0011\u00e0', 'an old Excel workbook (.xls). Save the sheet as CSV, and name that file'],
  ['%PDF', 'a PDF document. Export the list as CSV, and name that file'],
  ['{\\rtf', 'an RTF document. Save it as plain text, and name that file'],
  ['\u001f\u008b', 'compressed (gzip). Type: gunzip -c FILE | node dist/cli verify-file - --out OUT'],
  ['\u0028\u00b5\u002f\u00fd', 'compressed (zstd). Type: zstdcat FILE | node dist/cli verify-file - --out OUT'],
  ['PAR1', 'a Parquet file. Export the list as CSV, and name that file'],
  ['\u00ff\u00fe\u0000\u0000', 'text in UTF-32. Save it as UTF-8'],
];

/**
 * A text as octets in which separators are single ASCII octets: as it stands, or UTF-16 turned into UTF-8. It goes back
 * out as it came.
 */
export class InputText {
  private readonly decoder: TextDecoder;

  private constructor(
    readonly input: Input,
    readonly encoding: Encoding,
    /** Octets before the first row: the byte order mark, and a line `sep=;` that only spreadsheets read. */
    readonly preamble: Buffer,
    readonly sha256: string,
    /** The first rows. */
    readonly sample: Buffer,
    readonly isWholeSample: boolean,
    /** The delimiter that the line `sep=;` names. */
    readonly delimiter: string | null,
    /** Those of `DELIMITERS` that stand anywhere in the text. */
    readonly usedDelimiters: ReadonlySet<string>,
  ) {
    this.decoder = new TextDecoder(encoding === 'windows-1252' ? encoding : 'utf-8', { ignoreBOM: true });
  }

  /** Reads the whole input once. @throws CommandError if it is no text */
  static async read(input: Input): Promise<InputText> {
    const scan = new EncodingScan();
    const hash = createHash('sha256');
    const used = new Set<string>();
    let first: Buffer | null = null;
    for await (const chunk of input.read()) {
      first ??= Buffer.from(chunk.subarray(0, SAMPLE));
      scan.update(chunk);
      hash.update(chunk);
      for (const one of DELIMITERS) if (!used.has(one) && chunk.includes(one)) used.add(one);
    }
    if (first === null) throw new CommandError(`${input.name} is empty`);
    const known = SIGNATURES.find(([starts]) =>
      first?.subarray(0, starts.length).equals(Buffer.from(starts, 'latin1')),
    );
    if (known !== undefined) throw new CommandError(`${input.name} is ${known[1]}`);
    const found = scan.end();
    if (found === null) throw new CommandError(`${input.name} is no text. Save the list as CSV, and name that file`);
    const { sample, isWhole } = await sampleOf(input, found);
    if (CONTACTS.test(sample.subarray(0, 16).toString('latin1'))) {
      throw new CommandError(
        `${input.name} holds contacts (vCard). Export them as CSV from your address book, and name that file`,
      );
    }
    const separator = SEPARATOR_LINE.exec(sample.subarray(0, 8).toString('latin1'));
    const skipped = separator?.[0].length ?? 0;
    const width = isWide(found.encoding) ? 2 : 1;
    const preamble = first.subarray(0, found.bom + skipped * width);
    const digest = hash.digest('hex');
    return new InputText(
      input,
      found.encoding,
      preamble,
      digest,
      sample.subarray(skipped),
      isWhole,
      separator?.[1] ?? null,
      used,
    );
  }

  /** The octets after the preamble. */
  octets(): AsyncIterable<Buffer> {
    return asciiOctets(this.input, this.encoding, this.preamble.length);
  }

  /** Octets of `octets()` as they stood in the file. */
  asInFile(octets: Buffer): Buffer {
    if (!isWide(this.encoding)) return octets;
    const wide = Buffer.from(octets.toString('utf8'), 'utf16le');
    return this.encoding === 'utf-16be' ? wide.swap16() : wide;
  }

  /** Text to add to the file. What its encoding cannot write becomes a question mark. */
  encode(text: string): Buffer {
    if (this.encoding === 'windows-1252')
      return Buffer.from(text.replaceAll(/[^\u0000-\u007f\u00a0-\u00ff]/gu, '?'), 'latin1'); // oxlint-disable-line no-control-regex
    return this.asInFile(Buffer.from(text));
  }

  /** The text of a cell that was read octet by octet. */
  decode(cell: string): string {
    return NOT_ASCII.test(cell) ? this.decoder.decode(Buffer.from(cell, 'latin1')) : cell;
  }
}

function isWide(encoding: Encoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

async function sampleOf(input: Input, { encoding, bom }: FoundEncoding): Promise<{ sample: Buffer; isWhole: boolean }> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of asciiOctets(input, encoding, bom)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > SAMPLE) break;
  }
  return { sample: Buffer.concat(chunks).subarray(0, SAMPLE), isWhole: length <= SAMPLE };
}

async function* asciiOctets(input: Input, encoding: Encoding, from: number): AsyncGenerator<Buffer> {
  if (!isWide(encoding)) {
    yield* input.read(from);
    return;
  }
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  const decode = (chunk?: Buffer): Buffer => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw new CommandError(`${input.name} is no valid UTF-16: a character in it is cut. Save it as UTF-8`);
    }
  };
  for await (const chunk of input.read(from)) yield decode(chunk);
  const rest = decode();
  if (rest.length > 0) yield rest;
}
