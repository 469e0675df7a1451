import type { EntryResults, Selection } from './added-columns';
import { annotatedText, annotatedWorkbook } from './annotated-file';
import { DELIMITERS, type Delimiter } from './detect-dialect';
import { FileRefusal } from './file-refusal';
import { listEntries, type EntryCounts, type ListEntries } from './list-entries';
import {
  LARGEST_FILE,
  openListFile,
  tooLargeSentence,
  type FileChoices,
  type FileDescription,
  type OpenTable,
} from './open-list-file';

/** Which cells of a file are its entries. */
export interface EntryPlace {
  readonly column: number;
  readonly header: number | null;
}

export interface FoundEntries {
  readonly place: EntryPlace;
  readonly kind: FileDescription['kind'];
}

type FileForm = Pick<FileDescription, 'kind' | 'sheets' | 'sheet' | 'delimiter'>;

export interface SentEntries {
  readonly emails: readonly string[];
  readonly counts: EntryCounts;
  /** Addresses that are billed, in each part of the list. */
  readonly billedByPart: readonly number[];
}

/** Addresses of one part: what a job takes. */
export const PART_SIZE = 10_000;

/** One file while it is looked at, checked, and written again with its verdicts. */
export class ListFileSession {
  private bytes: Uint8Array | null = null;
  private table: OpenTable | null = null;

  constructor(private readonly file: Blob) {}

  async describe(choices: FileChoices): Promise<FileDescription> {
    const { table, description } = await openListFile(await this.read(), choices);
    this.table = table;
    return description;
  }

  /** The entries of a column, as they are sent. */
  entries({ column, header }: EntryPlace): SentEntries {
    const { emails, billed, counts } = listEntries(this.opened(), column, header);
    const billedByPart: number[] = [];
    for (let from = 0; from < billed.length; from += PART_SIZE) {
      billedByPart.push(billed.slice(from, from + PART_SIZE).filter(Boolean).length);
    }
    return { emails, counts, billedByPart };
  }

  /**
   * Where the entries that were sent stand in this file, as it is read by itself or as a person may have said that it is to be
   * read; null if it is another file. What is found is open afterwards.
   * @param sent the entries, or only how many they are
   */
  async find(sent: readonly string[] | number): Promise<FoundEntries | null> {
    const { candidates, header, columns, ...first } = await this.describe({});
    const most = typeof sent === 'number' ? candidates : [...new Set([...candidates, ...columns.keys()])];
    const place = this.placeOf(sent, most, header);
    if (place !== null) return { place, kind: first.kind };
    for (const choices of furtherChoices(first)) {
      const other = await this.describe(choices).catch(nullIfRefused);
      const found = other && this.placeOf(sent, other.candidates, other.header);
      if (found) return { place: found, kind: first.kind };
    }
    return null;
  }

  private placeOf(
    sent: readonly string[] | number,
    columns: readonly number[],
    header: number | null,
  ): EntryPlace | null {
    // A row of names that is counted as an entry would hide that a row is missing.
    const headers = typeof sent === 'number' ? [header] : [header, header === null ? 0 : null];
    for (const column of columns) {
      for (const row of headers) {
        if (areSame(listEntries(this.opened(), column, row), sent)) return { column, header: row };
      }
    }
    return null;
  }

  /** The file with the verdicts of the rows that are selected, in the form it came in; a workbook as CSV. */
  annotated({ column, header }: EntryPlace, results: EntryResults, selection: Selection): Blob {
    const table = this.opened();
    const annotation = { header, entries: listEntries(table, column, header), results, selection };
    if (table.kind === 'text') return new Blob(annotatedText(table, annotation), { type: 'text/csv' });
    return new Blob(annotatedWorkbook(table, annotation), { type: 'text/csv' });
  }

  private async read(): Promise<Uint8Array> {
    if (this.file.size > LARGEST_FILE) throw new FileRefusal(tooLargeSentence());
    try {
      this.bytes ??= new Uint8Array(await this.file.arrayBuffer());
      return this.bytes;
    } catch {
      throw new FileRefusal('This file cannot be read. It may have been moved or changed: choose it again.');
    }
  }

  private opened(): OpenTable {
    if (this.table === null) throw new Error('The file has not been described.');
    return this.table;
  }
}

/** Other ways to read a file, of which a person may have chosen one. */
function furtherChoices({ kind, sheets, sheet, delimiter }: FileForm): FileChoices[] {
  if (kind === 'xlsx') return sheets.filter((name) => name !== sheet).map((name) => ({ sheet: name }));
  const delimiters = Object.keys(DELIMITERS) as Delimiter[];
  return delimiters.filter((one) => one !== delimiter).map((one) => ({ delimiter: one }));
}

function nullIfRefused(error: unknown): null {
  if (error instanceof FileRefusal) return null;
  throw error;
}

/** The results give each address as the API reads it: trimmed and in lower case. */
function areSame({ emails }: Pick<ListEntries, 'emails'>, sent: readonly string[] | number): boolean {
  if (typeof sent === 'number') return emails.length === sent;
  return (
    emails.length === sent.length &&
    emails.every((email, index) => email.trim().toLowerCase() === sent[index]?.trim().toLowerCase())
  );
}
