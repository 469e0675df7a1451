import { clear, createStore, del, entries, get, set, type UseStore } from 'idb-keyval';
import type { EntryPlace } from './file/list-file-session';
import type { FileChoices } from './file/open-list-file';

/** A file that somebody asked this browser to keep, under the id of its list. */
export interface KeptFile {
  readonly file: Blob;
  readonly name: string;
  readonly choices: FileChoices;
  readonly place: EntryPlace;
  readonly keptAt: number;
}

const KEPT_MS = 7 * 86_400_000;
const DATABASE = 'mailvet-list-files';

let store: UseStore | null = null;
const files = (): UseStore => (store ??= createStore(DATABASE, 'files'));

/** Keeps a file in this browser. @returns false if the browser has no room or no permission */
export async function keepFile(list: string, kept: Omit<KeptFile, 'keptAt'>): Promise<boolean> {
  try {
    await set(list, { ...kept, keptAt: Date.now() } satisfies KeptFile, files());
    return true;
  } catch {
    return false;
  }
}

export async function keptFile(list: string): Promise<KeptFile | null> {
  try {
    const kept = await get<KeptFile>(list, files());
    return kept !== undefined && Date.now() - kept.keptAt < KEPT_MS ? kept : null;
  } catch {
    return null;
  }
}

export async function forgetFile(list: string): Promise<void> {
  await del(list, files()).catch(() => {});
}

/** For who signs out. Not by deleting the database, which waits until no other tab has it open. */
export async function forgetAllFiles(): Promise<void> {
  await clear(files()).catch(() => {});
}

/** Deletes the files whose seven days are over. */
export async function forgetOldFiles(): Promise<void> {
  try {
    for (const [list, { keptAt }] of await entries<string, KeptFile>(files())) {
      if (Date.now() - keptAt >= KEPT_MS) await del(list, files());
    }
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}
