import { startLaboratory, type Laboratory } from '../lab/laboratory.js';
import { DEMO_ADDRESSES, demoWorld } from '../lab/worlds/demo-world.js';
import type { RunningEngine } from '../../src/verify/engine/create-engine.js';
import { checkAddress, engineFor, misses, type Checked } from './engine-under-test.js';
import { printMisses } from './print-misses.js';

describe('the addresses of the demonstration', () => {
  let laboratory: Laboratory;
  let running: RunningEngine;
  let checked: readonly Checked[];

  beforeAll(async () => {
    laboratory = await startLaboratory(demoWorld);
    running = engineFor(laboratory);
    checked = await Promise.all(DEMO_ADDRESSES.map(({ address, mode }) => checkAddress(running, address, mode)));
    printMisses(
      DEMO_ADDRESSES.map(({ address, shows, expect }, index) => {
        return { id: address, setup: shows, expect, checked: checked[index] as Checked };
      }),
    );
  });

  afterAll(async () => {
    running.close();
    await laboratory.stop();
  });

  it.each(DEMO_ADDRESSES.map((one, index) => ({ ...one, index })))('$address ($mode): $shows', (one) => {
    expect(misses(checked[one.index]?.result ?? null, one.expect)).toEqual([]);
  });

  it('pass greylisting at the second call', async () => {
    const host = 'mx.greylisting.example';
    const { greylist, ...lenient } = demoWorld.hosts[host] ?? {};
    expect(greylist?.afterMs).toBeGreaterThan(0);
    laboratory.setHost(host, { ...lenient, ...(greylist && { greylist: { ...greylist, afterMs: 1 } }) });
    const { result } = await checkAddress(running, 'alice@greylisting.example', 'standard');
    expect(result).toMatchObject({ result: 'valid', reason: 'mailbox_accepts' });
  });
});
