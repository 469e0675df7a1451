/** Latency of one `single` at a healthy, distant mail host, compared with its bare round trips. */
import { connect } from 'node:net';
import { assess } from '../src/engine/assess.js';
import { Deadline } from '../src/engine/deadline.js';
import type { RunningEngine } from '../src/verify/engine/create-engine.js';
import { engineFor } from '../test/engine/engine-under-test.js';
import { PROBER_NAME } from '../test/lab/world.js';
import { ROUND_TRIP_MS } from './lib/bench-world.js';
import { startChild } from './lib/child.js';
import { report, type Figure } from './lib/figure.js';
import { percentile, settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';
import type { LaboratoryTold } from './processes/laboratory.js';

const PROBES = 100;
const AT_ONCE = 10;
/** The promised latency of a `single`. */
const P95_AT_MOST_MS = 1000;

interface Variant {
  readonly what: string;
  readonly mode: 'standard' | 'enhanced';
  readonly domain: string;
  /** Round trips of the dialogue: greeting, EHLO, MAIL with all RCPT (or one after the other). */
  readonly roundTrips: number;
}

const variants: readonly Variant[] = [
  { what: 'standard, PIPELINING', mode: 'standard', domain: 'pipelining.test', roundTrips: 3 },
  { what: 'standard, no PIPELINING', mode: 'standard', domain: 'plain.test', roundTrips: 4 },
  { what: 'enhanced, PIPELINING', mode: 'enhanced', domain: 'pipelining.test', roundTrips: 3 },
];
const BARE = 'the same commands from a bare socket';

async function main(): Promise<void> {
  const laboratory = await startChild<LaboratoryTold>('laboratory');
  const running = engineFor(laboratory.told);
  const { pipeliningAddress, smtpPort } = laboratory.told;
  const contestants: Record<string, () => Promise<number[]>> = {
    [BARE]: () => tookEach(() => speakBare(pipeliningAddress, smtpPort)),
  };
  for (const variant of variants) contestants[variant.what] = () => tookEach(() => probe(running, variant));
  const took = await inTurns(contestants);
  running.close();
  await laboratory.stop();
  report([
    ...variants.flatMap(({ what, roundTrips }) => figures(what, roundTrips, took[what] ?? [], P95_AT_MOST_MS)),
    ...figures(BARE, 3, took[BARE] ?? []),
  ]);
}

function figures(what: string, roundTrips: number, rounds: readonly number[][], p95AtMost?: number): Figure[] {
  const limit = rounds.map(() => roundTrips * ROUND_TRIP_MS);
  return [0.5, 0.95, 0.99].map((p) => ({
    what: `${what}: p${p * 100}`,
    unit: 'ms',
    rounds: rounds.map((each) => percentile(each, p)),
    baseline: { what: `${roundTrips} round trips`, rounds: limit },
    ...(p === 0.95 && p95AtMost !== undefined && { atMost: p95AtMost }),
  }));
}

async function tookEach(work: () => Promise<void>): Promise<number[]> {
  const took: number[] = [];
  await settledPerSecond(PROBES, AT_ONCE, async () => {
    const began = performance.now();
    await work();
    took.push(performance.now() - began);
  });
  return took;
}

async function probe({ engine, knowledge }: RunningEngine, { domain, mode }: Variant): Promise<void> {
  const deadline = Deadline.after(8000);
  const outcome = await engine.check(`real@${domain}`, { mode, deadline });
  deadline.release();
  const result = outcome.kind === 'checked' ? assess(outcome.check, knowledge).result : outcome.why;
  if (result !== 'valid') throw new Error(`a healthy mailbox was found ${result}`);
}

/** The baseline without DNS, parser and rules: it writes the commands and finds the ends of replies. */
function speakBare(host: string, port: number): Promise<void> {
  const steps: readonly [RegExp, string][] = [
    [/^220 .*\r\n/m, `EHLO ${PROBER_NAME}\r\n`],
    [/^250 .*\r\n/m, `MAIL FROM:<verify@${PROBER_NAME}>\r\nRCPT TO:<real@pipelining.test>\r\n`],
    [/^250 [^]*^250 .*\r\n/m, 'QUIT\r\n'],
  ];
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, noDelay: true });
    let [heard, step] = ['', 0];
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      heard += chunk.toString('latin1');
      const [awaited, next] = steps[step] ?? [];
      if (awaited === undefined || next === undefined || !awaited.test(heard)) return;
      [heard, step] = ['', step + 1];
      socket.write(next);
      if (step < steps.length) return;
      socket.end();
      resolve();
    });
  });
}

void main();
