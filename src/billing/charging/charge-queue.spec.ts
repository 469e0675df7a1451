import { ChargeQueue } from './charge-queue.js';

const BIG = Number.MAX_SAFE_INTEGER;
const names = (members: readonly { name: string }[]): string => members.map(({ name }) => name).join(' ');

function queueOf(text: string, weight = 0): ChargeQueue<{ accountId: string; weight: number; name: string }> {
  const queue = new ChargeQueue<{ accountId: string; weight: number; name: string }>();
  for (const name of text.split(' ')) queue.add({ accountId: name[0] ?? '', weight, name });
  return queue;
}

it('keeps the order of each account and takes accounts in turn', () => {
  const queue = queueOf('a1 a2 a3 a4 b1 c1 c2');
  expect(names(queue.take(100, BIG))).toBe('a1 b1 c1 a2 c2 a3 a4');
  expect(queue.size).toBe(0);
});

it('continues with the accounts that had no turn yet', () => {
  const queue = queueOf('a1 a2 a3 b1 c1');
  expect(names(queue.take(2, BIG))).toBe('a1 b1');
  expect(names(queue.take(2, BIG))).toBe('c1 a2');
  expect(queue.size).toBe(1);
});

it('serves a new account soon beside one with thousands of waiting charges', () => {
  const queue = queueOf(Array.from({ length: 1000 }, (_, i) => `a${i}`).join(' '));
  queue.take(256, BIG);
  queue.add({ accountId: 'b', weight: 0, name: 'b1' });
  expect(names(queue.take(2, BIG))).toContain('b1');
});

it('limits the octets of a group, but always takes one charge', () => {
  const queue = queueOf('a1 b1 c1', 10);
  expect(names(queue.take(100, 20))).toBe('a1 b1');
  expect(names(queue.take(100, 1))).toBe('c1');
  expect(queue.take(100, 20)).toEqual([]);
});
