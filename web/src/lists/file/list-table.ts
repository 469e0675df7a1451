import type { FileKind } from './file-kind';

/** The rows of a file, header and blank ones included, however the file stores them. */
export interface ListTable {
  readonly kind: FileKind;
  readonly rowCount: number;
  /** Cells of the widest row. */
  readonly columnCount: number;
  /** The text of a cell; empty beyond the end of its row. */
  cell(row: number, column: number): string;
  /** True if the row has no character at all. */
  isBlank(row: number): boolean;
}
