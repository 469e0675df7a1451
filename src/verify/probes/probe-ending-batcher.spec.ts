import { setImmediate as nextTurn } from 'node:timers/promises';
import { only } from '../../../test/factories/only.js';
import type { DatabaseTarget } from '../../platform/config/database-url.js';
import { PacketConnection } from '../../platform/database/packet-connection.js';
import { Statement } from '../../platform/database/statement.js';
import type { Address } from '../../engine/address/address.js';
import { idFromBytes, idToBytes, newId } from '../../platform/ids/uuid.js';
import type { CachedCheck } from '../cache/cached-check.js';
import { ProbeEndingBatcher, type VerdictEnding } from './probe-ending-batcher.js';

const ending = (): VerdictEnding => ({
  probeId: newId(),
  mode: 'standard',
  state: 'due',
  cached: {} as CachedCheck,
  address: { text: 'ada@example.com', localPart: 'ada', domain: 'example.com' } as Address,
});

interface Scene {
  /** Ids of probes whose rows have changed. */
  readonly changed?: readonly string[];
  /** How many calls asked for each probe. */
  readonly askers?: number;
  /** Ids of probes that a charge waits on. */
  readonly charged?: readonly string[];
  /** Whether a packet fails. */
  readonly fails?: (packet: number) => boolean;
}

function scene({ changed = [], askers = 0, charged = [], fails = () => false }: Scene = {}) {
  const packets: Parameters<PacketConnection['send']>[0][] = [];
  let drops = 0;
  const locked = (ids: readonly Buffer[]): unknown[] =>
    ids
      .filter((id) => !changed.includes(idFromBytes(id)))
      .map((id) => ({ id, mode: 'standard', state: 'due', askers }));
  const waiting = (ids: readonly string[]): unknown[] =>
    ids.filter((id) => charged.includes(id)).map((id) => ({ waits_on: idToBytes(id), reference: `single:${id}` }));
  jest.spyOn(PacketConnection.prototype, 'drop').mockImplementation(() => void drops++);
  jest.spyOn(PacketConnection.prototype, 'send').mockImplementation(async (statements) => {
    packets.push(statements);
    await nextTurn();
    if (fails(packets.length)) throw new Error('gone');
    return statements.map(({ sql, values }) => {
      if (sql.startsWith('SELECT')) return locked(values![0] as Buffer[]);
      return sql === 'CHARGES' ? waiting(values![0] as string[]) : { affectedRows: 1 };
    });
  });
  const endings = new ProbeEndingBatcher(
    { database: { others: [] as DatabaseTarget['others'] } as DatabaseTarget },
    only({ storing: (checks) => [new Statement('STORE', [checks.length])] }),
    only({
      waiting: (ids) => new Statement('CHARGES', [ids]),
      forgetting: (ids, references) => new Statement('FORGET', [ids, [...references]]),
    }),
  );
  const sent = (): string[][] => packets.map((packet) => packet.map(({ sql }) => sql.split(' ')[0]!));
  const valuesOf = (verb: string): unknown[] =>
    packets.flat().flatMap(({ sql, values }) => (sql.startsWith(verb) ? [values] : []));
  return { endings, sent, valuesOf, drops: () => drops };
}

afterEach(() => jest.restoreAllMocks());

it('ends concurrent probes in one transaction, and those that come meanwhile in the next', async () => {
  const [one, other, third] = [ending(), ending(), ending()];
  const { endings, sent, valuesOf } = scene({ charged: [one.probeId, third.probeId] });
  const first = [endings.end(one), endings.end(other)];
  await nextTurn();
  const later = endings.end(third);
  expect(await Promise.all([...first, later])).toEqual([true, true, true]);
  expect(sent()).toEqual([
    ['START', 'SELECT', 'CHARGES', 'STORE'],
    ['DELETE', 'FORGET', 'COMMIT'],
    ['START', 'SELECT', 'CHARGES', 'STORE'],
    ['DELETE', 'FORGET', 'COMMIT'],
  ]);
  expect(valuesOf('FORGET')).toEqual([
    [[one.probeId, other.probeId], [`single:${one.probeId}`]],
    [[third.probeId], [`single:${third.probeId}`]],
  ]);
});

it('keeps the rows of probes that were asked for by more calls than are charged', async () => {
  const [one, other] = [ending(), ending()];
  const { endings, valuesOf } = scene({ askers: 1, charged: [other.probeId] });
  expect(await Promise.all([endings.end(one), endings.end(other)])).toEqual([true, true]);
  expect(valuesOf('UPDATE')).toEqual([[[idToBytes(one.probeId)]]]);
  expect(valuesOf('DELETE')).toEqual([[[idToBytes(other.probeId)]]]);
});

it('reports probes that have changed, and leaves their charges waiting', async () => {
  const [one, other] = [ending(), ending()];
  const { endings, valuesOf } = scene({ changed: [one.probeId], charged: [one.probeId, other.probeId] });
  expect(await Promise.all([endings.end(one), endings.end(other)])).toEqual([false, true]);
  expect(valuesOf('FORGET')).toEqual([[[other.probeId], [`single:${other.probeId}`]]]);
});

it('commits only the facts if every probe has changed', async () => {
  const one = ending();
  const { endings, sent } = scene({ changed: [one.probeId], charged: [one.probeId] });
  expect(await endings.end(one)).toBe(false);
  expect(sent().at(-1)).toEqual(['COMMIT']);
});

it.each([1, 2])(
  'if packet %d fails, rejects every caller, drops the connection, and serves the next batch',
  async (nth) => {
    const { endings, drops } = scene({ fails: (packet) => packet === nth });
    expect(await Promise.all([endings.end(ending()), endings.end(ending())])).toEqual([false, false]);
    expect(drops()).toBe(1);
    expect(await endings.end(ending())).toBe(true);
  },
);
