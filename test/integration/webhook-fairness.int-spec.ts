import { answerWith, type Answer } from '../support/webhook-receiver.js';
import { waitUntil } from '../support/wait-until.js';
import { WebhookBench } from './webhook-support.js';

const EVENTS = 100;
const ENDPOINTS = 10;
/** Of the 20 deliveries that an account may have under way. */
const SHARE = 2;
const WITHIN_MS = 120_000;
/** An attempt at an endpoint that does not answer ends after this time. */
const ATTEMPT_MS = 15_000;

let bench: WebhookBench;
beforeAll(async () => {
  bench = await WebhookBench.start();
});
afterAll(async () => {
  await bench?.stopReceivers();
  await bench?.close();
});

const waits = (check: () => boolean) => waitUntil(() => Promise.resolve(check()), { ms: WITHIN_MS });

it('an endpoint that does not answer delays none of the others of its account', async () => {
  const under: Record<'slow' | 'all', { now: number; most: number }> = {
    slow: { now: 0, most: 0 },
    all: { now: 0, most: 0 },
  };
  const counted =
    (answer: Answer, ...counts: (keyof typeof under)[]): Answer =>
    (response, received, request) => {
      for (const count of counts) under[count].most = Math.max(under[count].most, ++under[count].now);
      response.on('close', () => counts.forEach((count) => under[count].now--));
      answer(response, received, request);
    };
  const slow = await bench.receive(counted(() => undefined, 'slow', 'all'));
  const quick = counted(answerWith(204), 'all');
  const good = await Promise.all(Array.from({ length: ENDPOINTS - 1 }, () => bench.receive(quick)));
  const accountId = await bench.newAccount();
  const slowEndpoint = await bench.newEndpoint(slow.url, { accountId });
  for (const { url } of good) await bench.newEndpoint(url, { accountId });
  await bench.startWorker();
  const reported = new Map<number, number>();
  for (let number = 0; number < EVENTS; number++) {
    reported.set(number, performance.now());
    await bench.report(accountId, { data: () => ({ number }) });
  }
  expect(await waits(() => good.every(({ received }) => received.length >= EVENTS))).toBe(true);
  expect(await waits(() => under.slow.most >= SHARE)).toBe(true);
  expect(under.slow.most).toBe(SHARE);
  expect(under.all.most).toBeLessThanOrEqual(20);
  const slows = await bench.list(slowEndpoint);
  expect(slows).toHaveLength(EVENTS);
  expect(slows.filter(({ status }) => status !== null)).toEqual([]);
  // However long the others took: the slow one has begun no more than its share.
  const begun = slows.filter(({ attempts }) => attempts > 0).length;
  expect(begun).toBeLessThanOrEqual(SHARE * Math.ceil(WITHIN_MS / ATTEMPT_MS));
  const latencies = good
    .flatMap(({ received }) => received)
    .map(({ at, body }) => at - reported.get((JSON.parse(body) as { data: { number: number } }).data.number)!)
    .toSorted((a, b) => a - b);
  const p = (share: number): string =>
    `p${share * 100} ${Math.round(latencies[Math.floor(latencies.length * share)]!)} ms`;
  process.stdout.write(
    `\n  ${latencies.length} deliveries to ${good.length} endpoints beside a slow one: ${p(0.5)}, ${p(0.95)}\n`,
  );
});
