import { AppError } from '../../errors/app-error.js';
import { notJson, tooDeep } from './body-errors.js';

/** Deepest accepted nesting of arrays and objects. The contract's own bodies need four levels. */
export const MAX_DEPTH = 32;
/** The sink learns of values down to the entries of a list that is a field of the body. */
const TOLD_DEPTH = 2;

/** Receives the start and end of each outer value of a JSON text. Positions are within the current chunk. */
export interface JsonSink {
  /** @param depth number of arrays and objects around it; at most 2 */
  valueBegins(depth: number, firstByte: number, at: number): void;
  /** @param end the position after its last byte */
  valueEnds(depth: number, end: number): void;
  /** A field name of the body begins, at its quote. */
  nameBegins(at: number): void;
  nameEnds(end: number): void;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const COLON = 0x3a;
const LOWER_U = 0x75;
const FIRST_PRINTABLE = 0x20;

/** Numbers and the three literals. */
const WORD = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const IN_WORDS = new Set(Buffer.from('+-.0123456789Eaeflnrstu'));
/** Characters allowed after a backslash, beside `u`. */
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'));

/** The token that may come next. */
enum Expect {
  Value,
  ValueOrEnd,
  NameOrEnd,
  Name,
  Colon,
  /** After a value: a comma, the end of its container, or the end of the text. */
  Rest,
  InString,
  Escape,
  /** The four digits of `\uXXXX`. */
  HexDigits,
  InWord,
}

/**
 * Checks a JSON text (RFC 8259) that arrives in chunks, byte by byte, and builds nothing: an unwanted body costs one
 * look at each byte. Accepts and refuses exactly what `JSON.parse` does, if the bytes are UTF-8.
 */
export class JsonScanner {
  private expect = Expect.Value;
  /** One entry per open array or object: true for an object. */
  private readonly objects: boolean[] = [];
  private isName = false;
  private hexDigits = 0;
  /** What has come of a number or literal: no more than a body may be long. */
  private word = '';
  private seen = 0;
  /** Octets of the chunks before this one. */
  private before = 0;

  /** @param maxValues limit of values and names together, at any depth */
  constructor(
    private readonly sink: JsonSink,
    private readonly maxValues: number,
  ) {}

  /** Values and names so far. */
  get values(): number {
    return this.seen;
  }

  /**
   * @throws AppError `invalid_request` when it is not JSON or nested too deeply, `validation_failed` when it has too
   * many values
   */
  write(chunk: Buffer): void {
    let at = 0;
    while (at < chunk.length) at = this.step(chunk, at);
    this.before += chunk.length;
  }

  /** @throws AppError `invalid_request` when the text is not complete */
  end(): void {
    if (this.expect === Expect.InWord) this.wordEnds(0);
    if (this.expect !== Expect.Rest || this.objects.length > 0) throw notJson(null);
  }

  /** @returns the position to continue from */
  private step(chunk: Buffer, at: number): number {
    const byte = chunk[at]!;
    switch (this.expect) {
      case Expect.InString:
        return this.string(chunk, at);
      case Expect.Escape:
        return this.escape(byte, at);
      case Expect.HexDigits:
        if (!isHexDigit(byte)) throw this.fault(at);
        if (--this.hexDigits === 0) this.expect = Expect.InString;
        return at + 1;
      case Expect.InWord:
        return this.inWord(chunk, at);
      default:
        if (!isSpace(byte)) this.token(byte, at);
        return at + 1;
    }
  }

  private token(byte: number, at: number): void {
    switch (this.expect) {
      case Expect.Value:
        return this.valueBegins(byte, at);
      case Expect.ValueOrEnd:
        return byte === CLOSE_ARRAY ? this.close(false, at) : this.valueBegins(byte, at);
      case Expect.NameOrEnd:
        return byte === CLOSE_OBJECT ? this.close(true, at) : this.nameBegins(byte, at);
      case Expect.Name:
        return this.nameBegins(byte, at);
      case Expect.Colon:
        if (byte !== COLON) throw this.fault(at);
        this.expect = Expect.Value;
        return;
      default:
        return this.rest(byte, at);
    }
  }

  private valueBegins(byte: number, at: number): void {
    this.count();
    const depth = this.objects.length;
    if (depth <= TOLD_DEPTH) this.sink.valueBegins(depth, byte, at);
    if (byte === QUOTE) {
      this.isName = false;
      this.expect = Expect.InString;
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (depth === MAX_DEPTH) throw tooDeep();
      this.objects.push(byte === OPEN_OBJECT);
      this.expect = byte === OPEN_OBJECT ? Expect.NameOrEnd : Expect.ValueOrEnd;
    } else {
      this.word = String.fromCharCode(byte);
      this.expect = Expect.InWord;
    }
  }

  private valueEnds(end: number): void {
    this.expect = Expect.Rest;
    const depth = this.objects.length;
    if (depth <= TOLD_DEPTH) this.sink.valueEnds(depth, end);
  }

  private nameBegins(byte: number, at: number): void {
    if (byte !== QUOTE) throw this.fault(at);
    this.count();
    if (this.objects.length === 1) this.sink.nameBegins(at);
    this.isName = true;
    this.expect = Expect.InString;
  }

  private rest(byte: number, at: number): void {
    const isObject = this.objects.at(-1);
    if (isObject === undefined) throw this.fault(at);
    if (byte === COMMA) this.expect = isObject ? Expect.Name : Expect.Value;
    else if (byte === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) this.close(isObject, at);
    else throw this.fault(at);
  }

  private close(isObject: boolean, at: number): void {
    if (this.objects.pop() !== isObject) throw this.fault(at);
    this.valueEnds(at + 1);
  }

  private string(chunk: Buffer, from: number): number {
    let at = from;
    for (; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === QUOTE) {
        if (this.isName) {
          this.expect = Expect.Colon;
          if (this.objects.length === 1) this.sink.nameEnds(at + 1);
        } else {
          this.valueEnds(at + 1);
        }
        return at + 1;
      }
      if (byte === BACKSLASH) {
        this.expect = Expect.Escape;
        return at + 1;
      }
      if (byte < FIRST_PRINTABLE) throw this.fault(at);
    }
    return at;
  }

  private escape(byte: number, at: number): number {
    if (byte !== LOWER_U && !ESCAPED.has(byte)) throw this.fault(at);
    this.expect = byte === LOWER_U ? Expect.HexDigits : Expect.InString;
    this.hexDigits = 4;
    return at + 1;
  }

  private inWord(chunk: Buffer, from: number): number {
    let at = from;
    while (at < chunk.length && IN_WORDS.has(chunk[at]!)) at++;
    this.word += chunk.toString('latin1', from, at);
    // The byte after a word is handled like the byte after any value.
    if (at < chunk.length) this.wordEnds(at);
    return at;
  }

  private wordEnds(end: number): void {
    if (!WORD.test(this.word)) throw this.fault(end - this.word.length);
    this.valueEnds(end);
  }

  private fault(at: number): AppError {
    return notJson(this.before + at + 1);
  }

  private count(): void {
    if (++this.seen <= this.maxValues) return;
    throw new AppError('validation_failed', `the body must have at most ${this.maxValues} values and names of fields`);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isHexDigit(byte: number): boolean {
  const lower = byte | 0x20;
  return (byte >= 0x30 && byte <= 0x39) || (lower >= 0x61 && lower <= 0x66);
}
