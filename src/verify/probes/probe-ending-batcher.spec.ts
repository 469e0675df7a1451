import type { Statement } from '../../platform/database/packet-connection.js';
import type { Address } from '../../engine/address/address.js';
import { newId } from '../../platform/ids/uuid.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { ProbeEndingBatcher, type VerdictEnding } from './probe-ending-batcher.js';

const ending = (): VerdictEnding => ({
  probeId: newId(),
  mode: 'standard',
  state: 'due',
  cached: {} as CachedCheck,
  address: { text: 'ada@example.com', localPart: 'ada', domain: 'example.com' } as Address,
});

/** @param answer the server's answers to a packet; by default every probe is unchanged */
function scene(answer?: (sent: readonly Statement[]) => Promise<unknown[]>) {
  const packets: string[][] = [];
  let drops = 0;
  const endings = new ProbeEndingBatcher({
    connection: {
      send: async (statements) => {
        packets.push(statements.map(({ sql }) => sql.split(' ')[0]!));
        return answer ? answer(statements) : statements.map(() => ({ affectedRows: 1 }));
      },
      drop: () => void drops++,
    },
    cache: { storing: (checks) => [{ sql: 'STORE', values: [checks.length] }] },
    waiting: { forgetting: (ids) => ({ sql: 'FORGET', values: [ids] }) },
  });
  return { endings, packets, drops: () => drops };
}

it('ends concurrent probes in one transaction, and those that come meanwhile in the next', async () => {
  const { endings, packets } = scene();
  const first = [endings.end(ending()), endings.end(ending())];
  await Promise.resolve();
  const later = endings.end(ending());
  expect(await Promise.all([...first, later])).toEqual([true, true, true]);
  expect(packets).toEqual([
    ['START', 'DELETE', 'DELETE', 'STORE'],
    ['FORGET', 'COMMIT'],
    ['START', 'DELETE', 'STORE'],
    ['FORGET', 'COMMIT'],
  ]);
});

it('reports probes that have changed, and leaves their charges waiting', async () => {
  const forgotten: unknown[] = [];
  const [one, other] = [ending(), ending()];
  const { endings } = scene(async (sent) => {
    forgotten.push(...sent.filter(({ sql }) => sql === 'FORGET').map(({ values }) => values![0]));
    return sent.map(({ sql }, i) => ({ affectedRows: sql.startsWith('DELETE') && i === 1 ? 0 : 1 }));
  });
  expect(await Promise.all([endings.end(one), endings.end(other)])).toEqual([false, true]);
  expect(forgotten).toEqual([[other.probeId]]);
});

it('commits only the facts if every probe has changed', async () => {
  const { endings, packets } = scene(async (sent) => sent.map(() => ({ affectedRows: 0 })));
  expect(await endings.end(ending())).toBe(false);
  expect(packets.at(-1)).toEqual(['COMMIT']);
});

it.each([1, 2])(
  'if packet %d fails, rejects every caller, drops the connection, and serves the next batch',
  async (nth) => {
    let sent = 0;
    const { endings, drops } = scene(async (statements) => {
      if (++sent === nth) throw new Error('gone');
      return statements.map(() => ({ affectedRows: 1 }));
    });
    expect(await Promise.all([endings.end(ending()), endings.end(ending())])).toEqual([false, false]);
    expect(drops()).toBe(1);
    expect(await endings.end(ending())).toBe(true);
  },
);
