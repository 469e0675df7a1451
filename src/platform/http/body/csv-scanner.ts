import { AppError } from '../../errors/app-error.js';
import { Capture } from './capture.js';

/** Most cells of a row. */
const MAX_CELLS = 500;

const QUOTE = 0x22;
const COMMA = 0x2c;
const SEMICOLON = 0x3b;
const TAB = 0x09;
const CR = 0x0d;
const LF = 0x0a;

/** Receives the cells of a CSV text, row by row. */
export interface CsvSink {
  /** Whether the cell of this column, from 0 on, is built: others are skipped. */
  wants(column: number): boolean;
  cell(column: number, text: string): void;
  /** Not told of blank lines. */
  rowEnds(): void;
}

enum State {
  CellBegins,
  Plain,
  Quoted,
  /** After a quotation mark in a quoted cell: it ends the cell, or another one follows and both are one character. */
  QuoteInQuoted,
  /** Text follows the closing quotation mark: the cell is taken as it is written. */
  AfterQuoted,
}

/**
 * Reads CSV (RFC 4180) in UTF-8 that arrives in chunks, byte by byte, and builds only the cells that are wanted. The
 * delimiter is the first comma, semicolon or tab of the first row. Lines end with CRLF, LF or CR.
 */
export class CsvScanner {
  private state = State.CellBegins;
  private delimiter: number | null = null;
  private column = 0;
  private isWanted = false;
  private isAfterCr = false;
  private readonly content = new Capture();

  constructor(private readonly sink: CsvSink) {}

  /** @throws AppError `validation_failed` for a row with too many cells, and what the sink throws */
  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length;) at = this.step(chunk, at);
    this.content.chunkEnds(chunk);
  }

  /** @throws AppError `invalid_request` when a quotation mark is never closed */
  end(): void {
    if (this.state === State.Quoted) {
      throw new AppError('invalid_request', 'The body is not CSV: a quotation mark is never closed.');
    }
    if (this.state !== State.CellBegins || this.column > 0) this.rowEnds(Buffer.alloc(0), 0);
  }

  /** @returns the position to continue from */
  private step(chunk: Buffer, at: number): number {
    const byte = chunk[at]!;
    switch (this.state) {
      case State.CellBegins:
        return this.cellBegins(byte, at);
      case State.Quoted: {
        const quote = chunk.indexOf(QUOTE, at);
        if (quote === -1) return chunk.length;
        this.state = State.QuoteInQuoted;
        return quote + 1;
      }
      case State.QuoteInQuoted:
        if (byte === QUOTE) this.state = State.Quoted;
        else if (this.endsCell(byte)) return this.cellEnds(chunk, byte, at);
        else this.state = State.AfterQuoted;
        return at + 1;
      default:
        return this.plain(chunk, at);
    }
  }

  private cellBegins(byte: number, at: number): number {
    const isLineFeedOfCr = this.isAfterCr && byte === LF;
    this.isAfterCr = false;
    if (isLineFeedOfCr) return at + 1;
    const isBlankLine = this.column === 0 && (byte === CR || byte === LF);
    if (isBlankLine) {
      this.isAfterCr = byte === CR;
      return at + 1;
    }
    if (this.column === MAX_CELLS) {
      throw new AppError('validation_failed', `a row of the CSV must have at most ${MAX_CELLS} cells`);
    }
    this.isWanted = this.sink.wants(this.column);
    if (this.isWanted) this.content.begin(at);
    this.state = byte === QUOTE ? State.Quoted : State.Plain;
    return byte === QUOTE ? at + 1 : at;
  }

  private plain(chunk: Buffer, from: number): number {
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (this.endsCell(byte)) return this.cellEnds(chunk, byte, at);
    }
    return chunk.length;
  }

  private endsCell(byte: number): boolean {
    if (byte === CR || byte === LF) return true;
    if (this.delimiter !== null) return byte === this.delimiter;
    return byte === COMMA || byte === SEMICOLON || byte === TAB;
  }

  private cellEnds(chunk: Buffer, byte: number, at: number): number {
    if (byte === CR || byte === LF) {
      this.rowEnds(chunk, at);
      this.isAfterCr = byte === CR;
    } else {
      this.delimiter ??= byte;
      this.tell(chunk, at);
      this.column++;
    }
    return at + 1;
  }

  private rowEnds(chunk: Buffer, at: number): void {
    // The text may end with a delimiter: the cell after it is empty.
    if (this.state !== State.CellBegins) this.tell(chunk, at);
    // The first row is the only cell of a list without columns.
    this.delimiter ??= COMMA;
    this.column = 0;
    this.sink.rowEnds();
  }

  private tell(chunk: Buffer, end: number): void {
    const isQuoted = this.state === State.QuoteInQuoted;
    this.state = State.CellBegins;
    if (!this.isWanted) return;
    const text = this.content.end(chunk, end).toString('utf8');
    this.sink.cell(this.column, isQuoted ? text.slice(1, -1).replaceAll('""', '"') : text);
  }
}
