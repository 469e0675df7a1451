import { stringify, type Options } from 'csv-stringify/sync';
import type { Dialect } from '../input/dialect.js';
import { DELIMITERS, type InputText } from '../input/input-text.js';

/**
 * Writes added cells as the file writes its own. A text that a spreadsheet would run as a formula gets an apostrophe.
 * Rows that are shorter than others are filled up, so that columns align.
 */
export class AddedText {
  private readonly delimiter: string;
  private readonly options: Options;
  private readonly written = new WeakMap<readonly string[], Buffer>();

  constructor(
    private readonly text: InputText,
    { delimiter, quote, escape }: Dialect,
    private readonly columnCount: number,
  ) {
    // A list of one column gets a delimiter that none of its rows holds.
    this.delimiter = delimiter ?? DELIMITERS.find((one) => !text.usedDelimiters.has(one)) ?? '\t';
    this.options = {
      delimiter: this.delimiter,
      quote: quote ?? '',
      escape,
      record_delimiter: '\n',
      eof: false,
      escape_formulas: true,
    };
  }

  /** @param width cells that the row has */
  after(width: number, cells: readonly string[]): Buffer {
    const written = this.encoded(cells);
    if (width >= this.columnCount) return written;
    return Buffer.concat([this.text.encode(this.delimiter.repeat(this.columnCount - width)), written]);
  }

  /** Nearly all rows get the same few cells. */
  private encoded(cells: readonly string[]): Buffer {
    const known = this.written.get(cells);
    if (known !== undefined) return known;
    const { delimiter, options } = this;
    const one = options.quote === '' ? cells.map((cell) => cell.replaceAll(delimiter, ' ')) : cells;
    const encoded = this.text.encode(delimiter + stringify([[...one]], options));
    this.written.set(cells, encoded);
    return encoded;
  }
}
