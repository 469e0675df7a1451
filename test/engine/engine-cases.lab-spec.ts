import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { ENGINE_CASES, engineCasesWorld } from '../lab/worlds/engine-cases-world.js';
import type { Mode } from '../../src/engine/verdict/result.js';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { jsonLines, sharedData } from '../support/shared-data.js';
import { checkAddress, DEADLINE_MS, engineFor, misses, type Checked } from './engine-under-test.js';
import { printMisses } from './print-misses.js';

interface Line {
  readonly id: string;
  readonly mode: Mode;
  readonly setup: string;
  readonly expect: Readonly<Record<string, unknown>>;
}

/** How late the answer may be when the machine is busy. */
const MARGIN_MS = 15_000;

const data = sharedData('engine-cases.jsonl');
const lines = data === null ? [] : jsonLines<Line>(data);

(data === null ? describe.skip : describe)('the measured whole-engine cases', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;
  let checked: Map<string, Checked>;
  let recovered: Checked;

  beforeAll(async () => {
    laboratory = await startLaboratory(engineCasesWorld);
    running = engineFor(laboratory);
    const check = async ({ id, mode }: Line): Promise<[string, Checked]> => {
      const address = ENGINE_CASES.get(id)?.address;
      if (address === undefined) throw new Error(`case ${id} has no world in the laboratory`);
      return [id, await checkAddress(running, address, mode)];
    };
    // The slowest cases take the whole deadline: side by side they take it once.
    checked = new Map(await Promise.all(lines.map(check)));
    recovered = await checkAddress(running, ENGINE_CASES.get('E79')?.address ?? '', 'enhanced');
    printMisses(lines.map(({ id, setup, expect }) => ({ id, setup, expect, checked: checked.get(id) as Checked })));
  });

  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  it.each(lines)('$id: $setup', ({ id, expect: wanted }) => {
    expect(misses(checked.get(id)?.result ?? null, wanted)).toEqual([]);
  });

  it('end within the deadline of a single call', () => {
    const late = [...checked].filter(([, { tookMs }]) => tookMs > DEADLINE_MS + MARGIN_MS).map(([id]) => id);
    expect(late).toEqual([]);
  });

  it('never judge a refusal of us as a missing mailbox', () => {
    const mayBeInvalid = ({ expect: { result } }: Line): boolean => [result].flat().includes('invalid');
    const blamed = lines
      .filter((line) => !mayBeInvalid(line) && checked.get(line.id)?.result?.['reason'] === 'mailbox_not_found')
      .map(({ id }) => id);
    expect(blamed).toEqual([]);
  });

  it('judge a domain by its recovered DNS', () => {
    expect(misses(recovered.result, { result: 'valid', reason: 'mailbox_accepts', deliverable: true })).toEqual([]);
  });

  it('never connect to another port', () => {
    const listeners = laboratory.untouchedListeners('mx.c37-lab.com');
    if (listeners.length === 0) process.stdout.write('ports below 1024 are closed to this user: not witnessed\n');
    expect(listeners.filter(({ touches }) => touches > 0)).toEqual([]);
  });

  it('leave no session open', async () => {
    expect(await laboratory.allSessionsClosed(30_000)).toBe(true);
  });
});
