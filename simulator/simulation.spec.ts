import { USUAL_LIMITS } from '../src/platform/politeness/limits.js';
import { BACK_OFF } from '../src/platform/politeness/refusals.js';
import { Simulation, type Counts, type Service } from './simulation.js';
import { recipientOf, simulatedHost, type Behaviour, type Recipient } from './world.js';

const SERVICE: Service = {
  workers: 1,
  coresPerWorker: 1,
  concurrency: 10,
  egress: 1,
  limits: USUAL_LIMITS,
  backOff: BACK_OFF,
  deadlineMs: 60_000,
  greylistRetryMs: 900_000,
  costs: { addressMs: 1, connectionMs: 0 },
  roundTripsToConnect: 2,
};

/** Addresses of one domain; every fourth does not exist. */
function addresses(count: number, behaviour: Partial<Behaviour> = {}, host = 'mx.example.com'): Recipient[] {
  const domain = { name: host, host: simulatedHost(host, { roundTripMs: 100, ...behaviour }) };
  return Array.from({ length: count }, (_, index) => recipientOf(domain, index % 4 !== 3));
}

function run(recipients: readonly Recipient[], service: Partial<Service> = {}): Counts {
  const simulation = new Simulation({ ...SERVICE, ...service });
  simulation.submit(recipients);
  simulation.clock.run();
  return simulation.counted;
}

it('asks about a few recipients over one connection, in five round trips', () => {
  const { connections, recipients, nowMs, addresses: settled } = run(addresses(4));
  expect({ connections, recipients, settled }).toEqual({ connections: 1, recipients: 4, settled: 4 });
  // Handshake, greeting, EHLO and recipients; the processor adds a millisecond for each address.
  expect(nowMs).toBeGreaterThanOrEqual(400);
  expect(nowMs).toBeLessThan(410);
});

it('keeps the limit of a host: sixty recipients a minute, after a burst', () => {
  const { nowMs, busyRuns, addresses: settled } = run(addresses(100));
  expect(settled).toBe(100);
  expect(busyRuns).toBeGreaterThan(0);
  expect(nowMs).toBeGreaterThan(90_000);
});

it('gets twice as far with twice the ways out', () => {
  const many = (): Recipient[] => addresses(2000, {}, 'mx.google.com');
  const [one, two] = [run(many()), run(many(), { egress: 2 })];
  expect(two.nowMs / one.nowMs).toBeLessThan(0.65);
});

it('asks about greylisted addresses once more, after the delay that the host names', () => {
  const named = run(addresses(4, { greylists: { namedSeconds: 300 } }));
  expect(named).toMatchObject({ connections: 2, recipients: 7, retried: 3, addresses: 4 });
  expect(named.nowMs).toBeGreaterThan(300_000);
  expect(run(addresses(4, { greylists: { namedSeconds: null } })).nowMs).toBeGreaterThan(900_000);
});

it('asks about postmaster where a refusal is vague and nobody was accepted', () => {
  const domain = {
    name: 'example.com',
    host: simulatedHost('mx.example.com', { roundTripMs: 1, refusesVaguely: true }),
  };
  expect(run([recipientOf(domain, false)])).toMatchObject({ recipients: 2, connections: 1, addresses: 1 });
  expect(run([recipientOf(domain, false), recipientOf(domain, true)])).toMatchObject({ recipients: 2, addresses: 2 });
});

it('gives up a host that refuses us, or does not answer, with one connection', () => {
  for (const behaviour of [{ refusesUs: true }, { unreachableAfterMs: 10_000 }])
    expect(run(addresses(20, behaviour))).toMatchObject({ connections: 1, recipients: 0, addresses: 20 });
});

it.each([
  ['hangs up after errors', { hangsUpAfterErrors: 4 }],
  ['takes few recipients in a session', { recipientsPerSession: 3 }],
])('opens more connections to a host that %s, and still asks about all', (_, behaviour) => {
  const limits = { maxConnections: 2, recipientsPerMinute: 60_000 };
  const [odd, polite] = [run(addresses(40, behaviour), { limits }), run(addresses(40), { limits })];
  expect(odd.addresses).toBe(40);
  expect(odd.connections).toBeGreaterThan(polite.connections);
});

it('waits for the processor where that is the bottleneck', () => {
  const limits = { maxConnections: 20, recipientsPerMinute: 60_000 };
  const { nowMs, processorMs } = run(addresses(400, { roundTripMs: 1 }), {
    limits,
    costs: { addressMs: 50, connectionMs: 0 },
  });
  expect(processorMs).toBe(20_000);
  expect(nowMs).toBeGreaterThanOrEqual(20_000);
  expect(nowMs).toBeLessThan(22_000);
});

it('comes to the same each time', () => {
  expect(run(addresses(300, { hangsUpAfterErrors: 5 }))).toEqual(run(addresses(300, { hangsUpAfterErrors: 5 })));
});

it('begins further chunks while a slow host in every place still holds its part', () => {
  const host = (nth: number, roundTripMs: number): Recipient[] =>
    addresses(20, { roundTripMs }, `mx.host${nth}.example`);
  // Three hosts are a chunk.
  const isSlow = (nth: number): boolean => nth === 0 || nth === 3;
  const recipients = Array.from({ length: 60 }, (_, nth) => host(nth, isSlow(nth) ? 10_000 : 10)).flat();
  const limits = { maxConnections: 2, recipientsPerMinute: 60_000 };
  const askedMs = new Map<string, number>();
  const simulation: Simulation = new Simulation(
    { ...SERVICE, limits, concurrency: 2 },
    { onAsked: ({ name }) => void askedMs.set(name, simulation.clock.nowMs) },
  );
  simulation.submit(recipients);
  simulation.clock.run();
  const slowMs = Math.min(askedMs.get('mx.host0.example')!, askedMs.get('mx.host3.example')!);
  expect(slowMs).toBeGreaterThan(30_000);
  expect([...askedMs.values()].filter((ms) => ms < slowMs)).toHaveLength(58);
});
