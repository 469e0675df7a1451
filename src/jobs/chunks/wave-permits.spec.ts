import { PERMITS_OF_WAVE, WavePermits } from './wave-permits.js';

/** What a wave holds after each outcome, in parts of all its permits. */
function heldAfter(recipients: readonly number[], outcomes: readonly number[]): number[] {
  let held = PERMITS_OF_WAVE;
  const permits = new WavePermits(recipients, (some) => (held -= some));
  return outcomes.map((domain) => {
    permits.settle(domain);
    return held / PERMITS_OF_WAVE;
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
