import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitUntil } from '../support/wait-until.js';

/** How many of each kind of resource (sockets, timers, …) keep the event loop alive. */
export type Resources = Readonly<Record<string, number>>;

export function activeResources(): Resources {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

/** Kinds of which there are more than before, after the time that ends of connections take to be noticed. */
export async function leftOver(before: Resources, withinMs: number): Promise<Resources> {
  const more = (): Resources =>
    Object.fromEntries(Object.entries(activeResources()).filter(([kind, count]) => count > (before[kind] ?? 0)));
  await waitUntil(() => Promise.resolve(Object.keys(more()).length === 0), { ms: withinMs });
  return more();
}

/** Bytes in use once everything unreachable is gone: of the heap, and of buffers outside of it. */
export function liveBytes(): { readonly heap: number; readonly buffers: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Twice: what has a finalizer is freed by the round after the one that found it.
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, buffers: external };
}
