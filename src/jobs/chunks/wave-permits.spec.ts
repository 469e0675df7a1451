import { SharedPermits } from './shared-permits.js';
import { PERMITS_OF_WAVE, WavePermits } from './wave-permits.js';

/** Permits for one wave. */
class OneWave extends SharedPermits {
  constructor() {
    super(PERMITS_OF_WAVE);
  }

  /** How much of them is taken. */
  get share(): number {
    return this.taken / PERMITS_OF_WAVE;
  }
}

/** What a wave holds after each outcome, in parts of all its permits. */
function heldAfter(recipients: readonly number[], outcomes: readonly number[]): number[] {
  const shared = new OneWave();
  const permits = new WavePermits(recipients, shared);
  permits.begin(() => undefined);
  return outcomes.map((domain) => {
    permits.settle(domain);
    return shared.share;
  });
}

it('gives back the part of a domain with the outcome of its last recipient', () => {
  expect(heldAfter([2, 1, 1, 1], [0, 2, 0, 3, 1])).toEqual([1, 3 / 4, 2 / 4, 1 / 4, 0]);
});

it('keeps all permits while more domains are open than connections', () => {
  const domains = Array.from({ length: 12 }, (_, domain) => domain);
  expect(
    heldAfter(
      domains.map(() => 1),
      domains,
    ),
  ).toEqual([1, 1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1, 0]);
});

it.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])('holds whole permits for each of %i domains, and none at the end', (count) => {
  const domains = Array.from({ length: count }, (_, domain) => domain);
  const held = heldAfter(
    domains.map(() => 1),
    domains,
  );
  expect(held.map((part) => part * PERMITS_OF_WAVE).every(Number.isInteger)).toBe(true);
  expect(held.at(-1)).toBe(0);
});

it('begins with one part, and allows one connection more for each part that comes free', () => {
  const shared = new OneWave();
  const first = new WavePermits([1, 1, 1], shared);
  const second = new WavePermits([1, 1, 1], shared);
  const third = new WavePermits([1, 1, 1], shared);
  const begun: string[] = [];
  const allowed: number[] = [];
  second.onMore(() => void allowed.push(second.count));
  first.begin(() => void begun.push('first'));
  second.begin(() => void begun.push('second'));
  third.begin(() => void begun.push('third'));
  expect(begun).toEqual(['first']);
  first.settle(0);
  expect([begun, second.count]).toEqual([['first', 'second'], 1]);
  first.settle(1);
  first.settle(2);
  expect(begun).toEqual(['first', 'second']);
  expect(allowed).toEqual([2, 10]);
});

it('takes no part for a domain that has ended meanwhile', () => {
  const shared = new OneWave();
  const first = new WavePermits([1, 1], shared);
  const second = new WavePermits([1, 1], shared);
  first.begin(() => undefined);
  second.begin(() => undefined);
  first.settle(0);
  second.settle(0);
  second.settle(1);
  expect(shared.share).toBe(1 / 2);
  first.end();
  expect(shared.share).toBe(0);
});

it('lets the last domain have several connections', () => {
  const shared = new OneWave();
  const permits = new WavePermits([1, 1, 100], shared);
  permits.begin(() => undefined);
  permits.settle(0);
  permits.settle(1);
  expect(permits.count).toBe(10);
});

it('gives back everything at its end', () => {
  const shared = new OneWave();
  const permits = new WavePermits([3, 3], shared);
  permits.begin(() => undefined);
  expect([permits.count, shared.share]).toEqual([10, 1]);
  permits.end();
  expect(shared.share).toBe(0);
});
