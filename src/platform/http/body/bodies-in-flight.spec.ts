import { refusalOf } from '../../../../test/factories/refusal-of.js';
import { BodiesInFlight, type HeldBody } from './bodies-in-flight.js';

const MIB = 1024 * 1024;

let bodies: BodiesInFlight;
let evicted: string[];
beforeEach(() => {
  jest.useFakeTimers();
  bodies = new BodiesInFlight();
  evicted = [];
});
afterEach(() => jest.useRealTimers());

function hold(account: string, octets: number, values = 0): HeldBody {
  const body = bodies.begin(account, ({ code }) => void evicted.push(`${account}: ${code}`));
  body.grow(octets, values);
  return body;
}

it('an account has 20 MiB for large bodies, and the process 80', () => {
  for (const account of ['a', 'b', 'c', 'd']) hold(account, 20 * MIB);
  expect(bodies.octets).toBe(80 * MIB);
  expect(refusalOf(() => hold('a', 1))).toBe('quota_exceeded');
  expect(refusalOf(() => hold('e', 1))).toBe('service_unavailable');
  expect(bodies.refused).toEqual({ account: 1, process: 1 });
});

it('a value counts 48 octets', () => {
  hold('a', 20 * MIB - 48 * 1000, 1000);
  expect(refusalOf(() => hold('a', 1))).toBe('quota_exceeded');
});

it('a body that has been arriving for five seconds gives way, the slowest first', () => {
  const [first] = ['a', 'b', 'c', 'd'].map((account) => hold(account, 20 * MIB));
  jest.advanceTimersByTime(4999);
  expect(refusalOf(() => hold('e', 1))).toBe('service_unavailable');
  jest.advanceTimersByTime(1);
  expect(refusalOf(() => hold('e', 21 * MIB))).toBe('quota_exceeded');
  expect(refusalOf(() => hold('e', MIB))).toBeNull();
  expect(evicted).toEqual(['a: service_unavailable']);
  expect(refusalOf(() => first!.release())).toBeNull();
  expect(bodies.octets).toBe(61 * MIB);
});

it('a body that has arrived gives way to none', () => {
  for (const account of ['a', 'b', 'c', 'd']) bodies.arrived(hold(account, 20 * MIB));
  jest.advanceTimersByTime(60_000);
  expect(refusalOf(() => hold('e', 1))).toBe('service_unavailable');
  expect(evicted).toEqual([]);
});
