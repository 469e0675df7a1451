import { setTimeout as delay } from 'node:timers/promises';
import { stopwatch } from '../../support/waited-for-processor.js';

export interface HonestTarget {
  readonly url: string;
  readonly key: string;
  /** Of the API's process. */
  readonly pid: number;
  /** A domain whose mail host takes every recipient at once. */
  readonly domain: string;
}

export interface Served {
  /** Of each call that was answered, milliseconds; what the API and this process spent waiting for a processor is not counted. */
  readonly latenciesMs: readonly number[];
  /** Jobs that were completed with a verdict for every address. */
  readonly jobs: number;
  /** Answers that were not as they have to be. */
  readonly faults: readonly string[];
}

const BETWEEN_CALLS_MS = 60;
const JOB_ADDRESSES = 20;
const SETTLED_WITHIN_MS = 60_000;

/** One customer who works as customers do, for so many seconds: singles known and new, deferred ones, and jobs. */
export async function serveHonestCustomer(target: HonestTarget, seconds: number, round: string): Promise<Served> {
  const until = performance.now() + seconds * 1000;
  const latenciesMs: number[] = [];
  const faults: string[] = [];
  let made = 0;
  let jobs = 0;
  const fresh = (): string => `${round}-${(made += 1)}@${target.domain}`;
  const expect = (what: string, holds: boolean, seen: unknown): void => {
    if (!holds && faults.length < 20) faults.push(`${what}: ${JSON.stringify(seen)}`);
  };

  const timed = async (what: string, body: unknown): Promise<void> => {
    const elapsed = stopwatch(target.pid, process.pid);
    const answer = await ask(target, 'POST', '/v1/verify/single', body);
    latenciesMs.push(elapsed());
    expect(what, answer.status === 200 && answer.body['result'] === 'valid', answer);
  };
  const singles = async (): Promise<void> => {
    for (let turn = 0; performance.now() < until; turn += 1) {
      if (turn % 5 === 0) await timed('a new address', { email: fresh() });
      else await timed('a known address', { email: `known-${turn % 10}@${target.domain}` });
      await delay(BETWEEN_CALLS_MS);
    }
  };
  const deferred = async (): Promise<void> => {
    while (performance.now() < until) {
      const email = fresh();
      const settled = await within(SETTLED_WITHIN_MS, async () => {
        const { body } = await ask(target, 'POST', '/v1/verify/single', { email, async: true });
        return body['reason'] === 'mailbox_accepts';
      });
      expect('a deferred address', settled, email);
      await delay(1000);
    }
  };
  const batches = async (): Promise<void> => {
    while (performance.now() < until) {
      const emails = Array.from({ length: JOB_ADDRESSES }, fresh);
      const submitted = await ask(target, 'POST', '/v1/verify/jobs', { emails });
      expect('a submit', submitted.status === 202, submitted);
      const completed = await within(SETTLED_WITHIN_MS, async () => {
        const { body } = await ask(target, 'GET', `/v1/verify/jobs/${String(submitted.body['id'])}`);
        const results = body['status'] === 'completed' ? (body['results'] as { result: string }[]) : [];
        return results.length === JOB_ADDRESSES && results.every(({ result }) => result === 'valid');
      });
      expect('a job', completed, submitted.body['id']);
      if (completed) jobs += 1;
      await delay(2000);
    }
  };
  await Promise.all([singles(), singles(), deferred(), batches()]);
  return { latenciesMs, jobs, faults };
}

/** The p-th percentile, by the nearest rank. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * p) / 100) - 1] ?? Number.NaN;
}

async function within(ms: number, holds: () => Promise<boolean>): Promise<boolean> {
  for (const until = performance.now() + ms; performance.now() < until; await delay(250))
    if (await holds()) return true;
  return false;
}

async function ask({ url, key }: HonestTarget, method: string, path: string, body?: unknown) {
  const headers = { 'x-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) };
  const response = await fetch(url + path, {
    method,
    headers,
    signal: AbortSignal.timeout(60_000),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
