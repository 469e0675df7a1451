import { getEventListeners } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { assess } from '../../src/engine/assess.js';
import { Deadline } from '../../src/engine/deadline.js';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { inLanes } from '../support/in-lanes.js';
import { checkAddress, engineFor, misses } from './engine-under-test.js';
import { activeResources, leftOver, liveBytes } from './left-over.js';
import { printMisses, type Judged } from './print-misses.js';
import { soakCases, soakWorld, type SoakCase } from './soak-cases.js';

const CHECKS = 5000;
/** After these everything that is made once has been made: caches, compiled code, the laboratory's books. */
const WARM_UP = 1000;
const CANCELLED_CHECKS = 600;
const AT_ONCE = 100;
/** What ends by itself does so within this: the last look at the name servers' health, farewells to mail hosts. */
const SETTLED_MS = 20_000;
/**
 * For all checks after the warm-up: less than each would leave if something held on to its deadline, socket or request.
 * About half of it is used by code that is compiled late, once.
 */
const MAY_GROW_BYTES = (CHECKS - WARM_UP) * 750;

/** Short, so that silent hosts take little of the test's time; long enough for a busy machine. */
const LIMITS = {
  DNS_TIMEOUT_MS: '8000',
  SMTP_CONNECT_TIMEOUT_MS: '4000',
  SMTP_GREETING_TIMEOUT_MS: '8000',
  SMTP_COMMAND_TIMEOUT_MS: '8000',
};
/** The limits of the steps end what is silent: a check must have time for the healthy host behind a silent one. */
const DEADLINE_MS = 60_000;

describe('thousands of checks of all kinds at once', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;

  beforeAll(async () => {
    laboratory = await startLaboratory(soakWorld, { sessionsKept: 10 });
    running = engineFor(laboratory, LIMITS);
  });
  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  it('end with the expected results, and leave no session, socket, timer or memory behind', async () => {
    const cases = soakCases(CHECKS);
    const before = activeResources();
    const wrong: Judged[] = [];
    const verdicts: Record<string, number> = {};
    const check = async (one: SoakCase): Promise<void> => {
      const checked = await checkAddress(running, one.address, one.mode, DEADLINE_MS);
      count(verdicts, checked.result === null ? 'unavailable' : (checked.result['result'] as string));
      if (misses(checked.result, one.expect).length > 0) wrong.push({ ...one, setup: one.mode, checked });
    };
    const loopDelay = monitorEventLoopDelay();
    const began = performance.now();
    loopDelay.enable();
    await inLanes(cases.slice(0, WARM_UP), AT_ONCE, check);
    await laboratory.allSessionsClosed(SETTLED_MS);
    const warm = liveBytes();
    await inLanes(cases.slice(WARM_UP), AT_ONCE, check);
    const allClosed = await laboratory.allSessionsClosed(SETTLED_MS);
    const end = liveBytes();
    loopDelay.disable();
    const seconds = (performance.now() - began) / 1000;
    const left = await leftOver(before, SETTLED_MS);

    if (wrong.length > 0) printMisses(wrong.slice(0, 20));
    print(`${CHECKS} checks, ${AT_ONCE} at once, in ${seconds.toFixed(1)} s: ${counts(verdicts)}`);
    print(
      `${laboratory.totalSessions} sessions, ${laboratory.openSessions} open; ${laboratory.totalDnsQueries} DNS queries`,
    );
    print(`resources before: ${counts(before)}; more than before: ${counts(left) || 'none'}`);
    print(`heap ${change(warm.heap, end.heap)}, buffers ${change(warm.buffers, end.buffers)} (warm-up to end)`);
    print(`event loop held up at most ${Math.round(loopDelay.max / 1e6)} ms`);
    expect(wrong.map(({ id, setup }) => `${id} (${setup})`)).toEqual([]);
    expect(allClosed).toBe(true);
    expect(left).toEqual({});
    expect(end.heap - warm.heap).toBeLessThan(MAY_GROW_BYTES);
    expect(end.buffers - warm.buffers).toBeLessThan(MAY_GROW_BYTES);
  }, 300_000);

  it('may be cancelled at any point, without leaks or invented verdicts', async () => {
    const before = activeResources();
    const madeUp: string[] = [];
    const listening: string[] = [];
    const endings: Record<string, number> = {};
    const sessionsBefore = laboratory.totalSessions;
    const queue = soakCases(CANCELLED_CHECKS).map((one, index) => ({ one, after: 1 + (index % 13) }));
    await inLanes(queue, AT_ONCE, async ({ one, after }) => {
      const deadline = Deadline.after(DEADLINE_MS);
      let events = 0;
      const trace = (): void => {
        events += 1;
        if (events === after) deadline.cancel();
      };
      const outcome = await running.engine.check(one.address, { mode: one.mode, deadline, trace });
      if (getEventListeners(deadline.signal, 'abort').length > 0) listening.push(one.id);
      deadline.release();
      const result = outcome.kind === 'unavailable' ? null : assess(outcome.check, running.knowledge);
      const ending = result === null ? 'unavailable' : result.result;
      const cut = deadline.signal.aborted ? 'cancelled' : 'over before';
      count(endings, `${cut}: ${ending}`);
      const honest = [one.expect['result'], 'unknown', 'unavailable'].flat();
      if (!honest.includes(ending)) madeUp.push(`${one.id} (${one.mode}, cut at event ${after}): ${ending}`);
    });
    const allClosed = await laboratory.allSessionsClosed(SETTLED_MS);
    const left = await leftOver(before, SETTLED_MS);

    print(`${CANCELLED_CHECKS} checks to be cancelled: ${counts(endings)}`);
    print(
      `${laboratory.totalSessions - sessionsBefore} sessions; more resources than before: ${counts(left) || 'none'}`,
    );
    expect(madeUp).toEqual([]);
    expect(listening).toEqual([]);
    expect(allClosed).toBe(true);
    expect(left).toEqual({});
  });
});

function count(numbers: Record<string, number>, name: string): void {
  numbers[name] = (numbers[name] ?? 0) + 1;
}

function counts(numbers: Readonly<Record<string, number>>): string {
  return Object.entries(numbers)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ');
}

function change(from: number, to: number): string {
  const mega = (bytes: number): string => (bytes / 2 ** 20).toFixed(2);
  return `${mega(from)} to ${mega(to)} MB`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
