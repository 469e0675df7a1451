import { Checks } from './checks.js';
import { RealServers, type ServerPlan, type ServerParts } from './real-servers.js';
import { unpackedServers } from './unpacked-servers.js';

/** A slow machine has to copy some thousand names and start four servers. */
const START_MS = 180_000;
/** A check has a deadline of its own, and some tests make several. */
const TEST_MS = 240_000;

/** What the tests of a file get; only while they run. */
export interface Bench {
  readonly servers: RealServers;
  /** An engine that says it is `prober.test`. */
  readonly checks: Checks;
}

/**
 * `describe` with real servers that are started once for all its tests, and stopped after them. Skipped where this
 * machine cannot have such servers.
 */
export function describeWithServers(
  what: string,
  plan: (parts: ServerParts) => ServerPlan,
  tests: (bench: () => Bench) => void,
): void {
  jest.setTimeout(TEST_MS);
  const unpacked = unpackedServers();
  (unpacked === null ? describe.skip : describe)(what, () => {
    let bench: Bench | undefined;
    beforeAll(async () => {
      const servers = await RealServers.start(unpacked ?? '', plan);
      bench = { servers, checks: new Checks(servers) };
    }, START_MS);
    afterAll(async () => {
      bench?.checks.close();
      await bench?.servers.stop();
    });
    tests(() => {
      if (bench === undefined) throw new Error('the servers have not been started yet');
      return bench;
    });
  });
}
