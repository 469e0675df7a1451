import { csvCells } from './csv-cells.js';
import type { WantedEntry } from './curated-entries.repository.js';
import { entryTextRule, parseEntryText } from './entry-texts.js';
import type { ParsedEntry } from './parse-entry.js';

/** The error in a line. Does not quote the text, which may contain an address. */
export interface LineFault {
  /** Starts at 1. */
  readonly line: number;
  readonly rule: string;
}

export interface ParsedImport {
  /** Each entry once: if several lines have the same domain, the last one counts. */
  readonly entries: readonly WantedEntry[];
  readonly faults: readonly LineFault[];
}

const MAX_CELLS = 3;

/**
 * Parses a list to import: one domain per line, or `domain,label,note` (CSV; empty or missing cells keep the stored
 * value). A `#` at the start of a line, or after a domain and a space, starts a comment. Skips a header line.
 */
export function parseImport(text: string, parseEntry: (text: string) => ParsedEntry): ParsedImport {
  const entries = new Map<string, WantedEntry>();
  const faults: LineFault[] = [];
  let first = true;
  for (const [index, whole] of text.split(/\r\n|\n|\r/).entries()) {
    const line = withoutComment(index === 0 ? whole.replace(/^\uFEFF/, '') : whole);
    if (line.trim() === '') continue;
    const cells = csvCells(line);
    const heading = first && cells?.[0]?.toLowerCase() === 'domain';
    first = false;
    if (heading) continue;
    const parsed = cells === null ? 'has quotes that do not match' : parseCells(cells, parseEntry);
    if (typeof parsed === 'string') faults.push({ line: index + 1, rule: parsed });
    else entries.set(parsed.entry, parsed);
  }
  return { entries: [...entries.values()], faults };
}

/** A label may contain `#`: after the first comma it does not start a comment. */
function withoutComment(line: string): string {
  const csv = line.search(/[,"]/);
  const end = csv < 0 ? line.length : csv;
  for (let hash = line.indexOf('#'); hash >= 0 && hash < end; hash = line.indexOf('#', hash + 1)) {
    if (hash === 0 || /\s/.test(line[hash - 1] ?? '')) return line.slice(0, hash);
  }
  return line;
}

/** The entry, or the error. */
function parseCells(cells: readonly string[], parseEntry: (text: string) => ParsedEntry): WantedEntry | string {
  if (cells.length > MAX_CELLS) return `has more than ${MAX_CELLS} cells: put quotes around one with a comma in it`;
  const [name = '', label = '', note = ''] = cells;
  const parsed = parseEntry(name);
  if (!parsed.ok) return parsed.rule;
  const texts = { label: parseEntryText('label', label), note: parseEntryText('note', note) };
  if (texts.label === null) return `its label ${entryTextRule('label')}`;
  if (texts.note === null) return `its note ${entryTextRule('note')}`;
  return { entry: parsed.entry, label: texts.label || undefined, note: texts.note || undefined };
}
