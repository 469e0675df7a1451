import { setTimeout as delay } from 'node:timers/promises';
import { sharedChecker } from './answer-checker.js';

/**
 * Set up for every end-to-end test: what `fetch` gets from the API is held to the description, and a test whose answers are not
 * as described fails. Answers that are cut off are no answers.
 */
const API_PATHS = /^\/(v1\/|health\/|openapi\.json$)/;
/** For the rest of bodies that a test has not read to their end. */
const BODIES_MS = 10_000;

const plainFetch = globalThis.fetch;
let faults: string[] = [];
let reading: Promise<void>[] = [];

globalThis.fetch = async (input, init) => {
  const response = await plainFetch(input, init);
  const request = input instanceof Request ? input : null;
  const url = new URL(input instanceof Request ? input.url : input);
  if (url.hostname === '127.0.0.1' && API_PATHS.test(url.pathname)) {
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
    const key = new Headers(init?.headers ?? request?.headers).get('x-api-key');
    reading.push(check(method, url.pathname, key, response.clone()));
  }
  return response;
};

async function check(method: string, path: string, key: string | null, response: Response): Promise<void> {
  const body = await response.text().catch(() => null);
  if (body === null) return;
  const header = (name: string): string | null => response.headers.get(name);
  const seen = { method, path, status: response.status, header, body, key, mayLackBalance: true };
  faults.push(...sharedChecker().faults(seen));
}

async function expectNoFaults(): Promise<void> {
  const late = new AbortController();
  await Promise.race([Promise.allSettled(reading), delay(BODIES_MS, null, { signal: late.signal }).catch(() => null)]);
  late.abort();
  const found = [...new Set(faults)];
  [reading, faults] = [[], []];
  if (found.length > 0) throw new Error(`Answers that docs/openapi.json does not describe:\n${found.join('\n')}`);
}

afterEach(expectNoFaults);
afterAll(expectNoFaults);
