import type { ListFile } from './file/list-file';
import type { EntryPlace } from './file/list-file-session';

/** The file of a list while this tab is open. */
export interface HeldFile {
  readonly file: ListFile;
  readonly name: string;
  readonly kind: 'text' | 'xlsx';
  readonly place: EntryPlace;
}

let held: { readonly list: string; readonly file: HeldFile } | null = null;

/** Holds the file of one list, the last one: a large file takes memory. */
export function holdFile(list: string, file: HeldFile): void {
  if (held !== null && held.file.file !== file.file) held.file.file.close();
  held = { list, file };
}

export function heldFile(list: string): HeldFile | null {
  return held?.list === list ? held.file : null;
}

export function isHeld(file: ListFile): boolean {
  return held?.file.file === file;
}
