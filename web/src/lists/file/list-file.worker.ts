import { FileRefusal } from './file-refusal';
import { ListFileSession } from './list-file-session';
import type { ListFileAnswer, ListFileCall } from './list-file';

/** Files are read and written here, so that the page keeps moving while it happens. */
let session: ListFileSession | null = null;

async function answer(call: ListFileCall): Promise<unknown> {
  if (call.name === 'open') {
    session = new ListFileSession(call.file);
    return undefined;
  }
  if (session === null) throw new Error('No file was opened.');
  if (call.name === 'describe') return session.describe(call.choices);
  if (call.name === 'entries') return session.entries(call.place);
  if (call.name === 'find') return session.find(call.sent);
  return session.annotated(call.place, call.results, call.selection);
}

globalThis.addEventListener('message', ({ data }: MessageEvent<{ id: number; call: ListFileCall }>) => {
  const reply = (said: ListFileAnswer): void => {
    postMessage(said);
  };
  answer(data.call).then(
    (value) => reply({ id: data.id, value }),
    (error: unknown) =>
      reply({
        id: data.id,
        refusal: error instanceof FileRefusal ? error.message : null,
        failure: error instanceof Error ? error.message : String(error),
      }),
  );
});
