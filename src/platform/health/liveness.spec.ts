import { Liveness } from './liveness.js';

it('reports everything that is stuck, and null otherwise', () => {
  const liveness = new Liveness();
  const faults: (string | null)[] = [null, null];
  faults.forEach((_, part) => liveness.watch(() => faults[part]!));
  expect(() => liveness.check()).not.toThrow();
  faults[0] = 'one queue stands still';
  faults[1] = 'another does too';
  expect(() => liveness.check()).toThrow('Not live: one queue stands still; another does too.');
  faults.fill(null);
  expect(() => liveness.check()).not.toThrow();
});
