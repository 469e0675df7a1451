import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { FURTHER_CASES, furtherCasesWorld, type FurtherCase } from '../lab/worlds/further-cases-world.js';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { checkAddress, DEADLINE_MS, engineFor, misses, type Checked } from './engine-under-test.js';
import { inLanes } from '../support/in-lanes.js';
import { printMisses } from './print-misses.js';
import { SLOW_CASES } from './soak-cases.js';

/** How late the answer may be when the machine is busy. */
const MARGIN_MS = 15_000;
/** Few, so that each has the processor often enough to end in time, however busy the machine is. */
const QUICK_AT_ONCE = 8;

describe('whole-engine cases of our own', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;
  let checked: Map<string, Checked>;

  beforeAll(async () => {
    laboratory = await startLaboratory(furtherCasesWorld);
    running = engineFor(laboratory);
    checked = new Map();
    const check = async ({ id, address }: FurtherCase): Promise<void> => {
      checked.set(id, await checkAddress(running, address, 'enhanced'));
    };
    const [slow, quick] = [true, false].map((is) => FURTHER_CASES.filter(({ id }) => SLOW_CASES.has(id) === is));
    // These wait for most of their time, and have little left for the healthy host behind a silent one.
    await Promise.all(slow!.map(check));
    await inLanes(quick!, QUICK_AT_ONCE, check);
    printMisses(FURTHER_CASES.map((one) => ({ ...one, setup: one.address, checked: checked.get(one.id) as Checked })));
  });

  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  it.each(FURTHER_CASES)('$id', ({ id, expect: wanted }) => {
    expect(misses(checked.get(id)?.result ?? null, wanted)).toEqual([]);
  });

  it('end within the deadline of a single call', () => {
    const late = [...checked].filter(([, { tookMs }]) => tookMs > DEADLINE_MS + MARGIN_MS).map(([id]) => id);
    expect(late).toEqual([]);
  });

  it('are probed by a polite client', () => {
    const rude = Object.keys(furtherCasesWorld.hosts).filter((host) =>
      laboratory.sessions(host).some(({ violations }) => violations.length > 0),
    );
    expect(rude).toEqual([]);
  });

  it('do not contact a mail host if they are settled without it', () => {
    for (const host of ['mx.role.test', 'mx.mailinator.com', 'mx2.no-second-opinion.test', 'mx.sendgrid.net']) {
      expect([host, laboratory.sessions(host).length]).toEqual([host, 0]);
    }
  });

  it('end their sessions with QUIT', () => {
    expect(laboratory.sessions('mx.no-pipelining.test').map(({ commands }) => commands.at(-1))).toEqual(['QUIT']);
  });

  it('take few sessions: one per host, one for a retry or the random recipient', () => {
    const shared = new Set(['mx.good.test']);
    const busy = Object.keys(furtherCasesWorld.hosts).filter(
      (host) => !shared.has(host) && laboratory.sessions(host).length > 3,
    );
    expect(busy).toEqual([]);
  });

  it('leave no session open', async () => {
    expect(await laboratory.allSessionsClosed(30_000)).toBe(true);
  });

  it('connect only to public addresses, except in a laboratory', async () => {
    const careful = engineFor(laboratory, { SMTP_ALLOW_PRIVATE_NETWORKS: 'false' });
    const before = laboratory.sessions('mx.good.test').length;
    const { result } = await checkAddress(careful, 'real@truncated.test', 'enhanced');
    careful.close();
    expect(result).toMatchObject({ result: 'invalid', reason: 'no_mx', mx: false });
    expect(laboratory.sessions('mx.good.test')).toHaveLength(before);
  });
});
