import { setTimeout as delay } from 'node:timers/promises';

/**
 * Asks again and again until `check` answers something truthy; gives up when the time is up or `gone` settles.
 * @returns what `check` answered, or null
 */
export async function waitUntil<T>(
  check: () => Promise<T | null | undefined | false>,
  limits: { readonly ms: number; readonly everyMs?: number; readonly gone?: Promise<unknown> },
): Promise<T | null> {
  const ended = new AbortController();
  const settled = (): void => ended.abort();
  limits.gone?.then(settled, settled);
  const deadline = performance.now() + limits.ms;
  while (!ended.signal.aborted && performance.now() < deadline) {
    const found = await check();
    if (found) return found;
    await delay(limits.everyMs ?? 25);
  }
  return null;
}
