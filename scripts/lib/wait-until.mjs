import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again and again until `check` gives something truthy; gives up early when `gone` settles.
 * @template T
 * @param {() => Promise<T | null | undefined | false>} check
 * @param {{ ms: number, everyMs?: number, gone?: Promise<unknown> }} limits
 * @returns {Promise<T | null>} null: the time is up, or what was waited for has ended
 */
export async function waitUntil(check, { ms, everyMs = 25, gone }) {
  const deadline = performance.now() + ms;
  const ended = new AbortController();
  void gone?.finally(() => ended.abort());
  while (!ended.signal.aborted && performance.now() < deadline) {
    const found = await check();
    if (found) return found;
    await delay(everyMs);
  }
  return null;
}
