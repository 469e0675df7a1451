import type { EntryResults, Selection } from './added-columns';
import { FileRefusal } from './file-refusal';
import type { EntryPlace, FoundEntries, SentEntries } from './list-file-session';
import type { FileChoices, FileDescription } from './open-list-file';

export type ListFileCall =
  | { readonly name: 'open'; readonly file: Blob }
  | { readonly name: 'describe'; readonly choices: FileChoices }
  | { readonly name: 'entries'; readonly place: EntryPlace }
  | { readonly name: 'find'; readonly sent: readonly string[] | number }
  | {
      readonly name: 'annotate';
      readonly place: EntryPlace;
      readonly results: EntryResults;
      readonly selection: Selection;
    };

export type ListFileAnswer =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly refusal: string | null; readonly failure: string };

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

let filesOpened = 0;

/** A file that a person chose, read in a worker. Only `entries` are ever sent anywhere. */
export class ListFile {
  /** Tells this file from others that were chosen. */
  readonly id = ++filesOpened;
  private readonly worker = new Worker(new URL('./list-file.worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, Waiting>();
  private calls = 0;

  constructor(readonly file: Blob) {
    this.worker.addEventListener('message', ({ data }: MessageEvent<ListFileAnswer>) => this.settle(data));
    this.worker.addEventListener('error', () => {
      this.failAll(new FileRefusal('This file could not be read: it may be too large for the memory of this browser.'));
    });
    // What fails here fails at the first question too.
    this.call<undefined>({ name: 'open', file }).catch(() => {});
  }

  describe(choices: FileChoices = {}): Promise<FileDescription> {
    return this.call({ name: 'describe', choices });
  }

  entries(place: EntryPlace): Promise<SentEntries> {
    return this.call({ name: 'entries', place });
  }

  find(sent: readonly string[] | number): Promise<FoundEntries | null> {
    return this.call({ name: 'find', sent });
  }

  annotated(place: EntryPlace, results: EntryResults, selection: Selection): Promise<Blob> {
    return this.call({ name: 'annotate', place, results, selection });
  }

  /** Frees the memory that the file takes. */
  close(): void {
    this.worker.terminate();
    this.failAll(new Error('The file was closed.'));
  }

  private call<T>(call: ListFileCall): Promise<T> {
    const id = ++this.calls;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
      this.worker.postMessage({ id, call });
    });
  }

  private settle(answer: ListFileAnswer): void {
    const call = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ('value' in answer) call?.resolve(answer.value as never);
    else call?.reject(answer.refusal === null ? new Error(answer.failure) : new FileRefusal(answer.refusal));
  }

  private failAll(error: Error): void {
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
