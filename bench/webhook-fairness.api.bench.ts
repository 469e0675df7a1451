/** Time from an event to its delivery at nine good endpoints, with and without one beside them that never answers. */
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../src/platform/config/load-config.js';
import { createLog } from '../src/platform/logging/log.js';
import { createApi } from '../src/roles/api.js';
import { apiUnderTest } from './lib/api-under-test.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { cpuSeconds } from './lib/cores.js';
import { EventSource } from './lib/event-source.js';
import { report, type Figure } from './lib/figure.js';
import { startOwnService } from './lib/own-service.js';
import { inTurns } from './lib/rounds.js';
import { startReceiver } from './lib/webhook-receivers.js';

const ROUNDS = 1;
const EVENTS = 1000;
const EVERY_MS = 50;
const GOOD = 9;
const LATEST_MS = 2000;
const ALL_WITHIN_MS = 60_000;

interface Round {
  readonly p50: number;
  readonly p95: number;
  /** Processor time of the worker for a delivery to a good endpoint. */
  readonly cpuMs: number;
}

async function main(): Promise<void> {
  const service = await startOwnService({ WORKER_QUEUES: 'webhook-delivery' });
  const environment = { ...apiUnderTest().environment, DATABASE_URL: service.databaseUrl, REDIS_URL: service.redisUrl };
  const api = await createApi(loadConfig('api', environment), createLog('silent'));
  await api.init();
  const round = async (hasSlow: boolean): Promise<Round> => {
    const [account] = await makeAccounts(service.databaseUrl, 1);
    const before = cpuSeconds(service.worker);
    const latencies = await deliver(new EventSource(api, account!.id), hasSlow);
    const at = (share: number): number => latencies[Math.floor(latencies.length * share)]!;
    const cpuMs = ((cpuSeconds(service.worker) - before) * 1000) / latencies.length;
    return { p50: at(0.5), p95: at(0.95), cpuMs };
  };
  try {
    const rounds = await inTurns({ alone: () => round(false), beside: () => round(true) }, ROUNDS);
    const figure = (what: string, key: keyof Round): Figure => ({
      what,
      unit: 'ms',
      rounds: rounds.beside.map((one) => one[key]),
      baseline: { what: 'without the one that never answers', rounds: rounds.alone.map((one) => one[key]) },
    });
    const each = `${EVENTS} events to ${GOOD} good endpoints and one that never answers`;
    report([
      { ...figure(`${each}: 95th percentile of the good ones`, 'p95'), atMost: LATEST_MS },
      figure(`${each}: median of the good ones`, 'p50'),
      figure('processor time of the worker for a delivery', 'cpuMs'),
    ]);
  } finally {
    await api.close();
    await service.stop();
  }
}

/** @returns milliseconds from the report of each event to its delivery at each good endpoint, in ascending order */
async function deliver(source: EventSource, hasSlow: boolean): Promise<number[]> {
  const reportedAt: number[] = [];
  const latencies: number[] = [];
  const take = (body: string, response: ServerResponse): void => {
    const { data } = JSON.parse(body) as { data: { number: number } };
    latencies.push(performance.now() - reportedAt[data.number]!);
    response.writeHead(204).end();
  };
  const slow = hasSlow ? [await startReceiver(() => undefined)] : [];
  const good = await Promise.all(Array.from({ length: GOOD }, () => startReceiver(take)));
  const receivers = [...slow, ...good];
  for (const { url } of receivers) await source.addEndpoint(url);
  const began = performance.now();
  for (let number = 0; number < EVENTS; number++) {
    await delay(Math.max(0, began + number * EVERY_MS - performance.now()));
    reportedAt.push(performance.now());
    await source.report({ number });
  }
  for (const until = performance.now() + ALL_WITHIN_MS; latencies.length < EVENTS * GOOD; await delay(20)) {
    if (performance.now() > until) throw new Error(`only ${latencies.length} of ${EVENTS * GOOD} deliveries came`);
  }
  await source.close();
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  return latencies.toSorted((a, b) => a - b);
}

void main();
