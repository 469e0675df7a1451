import type { Selection } from './file/added-columns';

const ENDINGS: Readonly<Record<Selection, string>> = {
  deliverable: 'deliverable',
  everything: 'checked',
  review: 'review',
};

/** `leads.xlsx` → `leads-deliverable.csv`; a text keeps its extension. */
export function downloadName(fileName: string, selection: Selection, kind: 'text' | 'xlsx'): string {
  const dot = fileName.lastIndexOf('.');
  const base = dot > 0 ? fileName.slice(0, dot) : fileName;
  const extension = dot > 0 && kind === 'text' ? fileName.slice(dot) : '.csv';
  return `${base}-${ENDINGS[selection]}${extension}`;
}
