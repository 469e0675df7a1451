import type { ArrivingBody, ReadBody } from './arriving-body.js';
import { notUtf8 } from './body-errors.js';
import { JsonScanner } from './json-scanner.js';
import { KeptFields } from './kept-fields.js';
import { Utf8Check } from './utf8-check.js';

/** U+FEFF as UTF-8. */
const MARK = [0xef, 0xbb, 0xbf] as const;

/** Reads a JSON body while it arrives: builds the fields of the call piece by piece and keeps nothing else. */
export class LargeBody implements ArrivingBody {
  private readonly utf8 = new Utf8Check();
  private readonly kept: KeptFields;
  private readonly scanner: JsonScanner;
  private isFirst = true;

  constructor(fields: readonly string[], maxValues: number) {
    this.kept = new KeptFields(fields);
    this.scanner = new JsonScanner(this.kept, maxValues);
  }

  /** Values and names so far. */
  get values(): number {
    return this.scanner.values;
  }

  /**
   * @param chunk the first one must be longer than a byte order mark
   * @throws AppError `invalid_request`, `validation_failed`
   */
  write(chunk: Buffer): void {
    if (!this.utf8.write(chunk)) throw notUtf8();
    const text = this.isFirst ? withoutMark(chunk) : chunk;
    this.isFirst = false;
    this.kept.chunkBegins(text);
    this.scanner.write(text);
    this.kept.chunkEnds();
  }

  /** @throws AppError `invalid_request` when the body is not complete */
  end(): ReadBody {
    if (!this.utf8.end()) throw notUtf8();
    // A number or literal that is the whole body ends with the last chunk.
    this.kept.chunkBegins(Buffer.alloc(0));
    this.scanner.end();
    return { value: this.kept.body, ignored: this.kept.ignored.names };
  }
}

/** Strips a byte order mark. */
export function withoutMark(bytes: Buffer): Buffer {
  const hasMark = bytes[0] === MARK[0] && bytes[1] === MARK[1] && bytes[2] === MARK[2];
  return hasMark ? bytes.subarray(MARK.length) : bytes;
}
