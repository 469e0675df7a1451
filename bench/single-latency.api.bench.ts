/** Latency of one `single` over HTTP: cached, settled by DNS, and with a mail host 20 ms away. */
import { apiUnderTest } from './lib/api-under-test.js';
import { ROOMY_DOMAIN, ROUND_TRIP_MS } from './lib/bench-world.js';
import { report, type Figure } from './lib/figure.js';
import { load } from './lib/http-load.js';
import { percentile } from './lib/rate.js';
import { recordedAddresses } from './lib/recorded-addresses.js';
import { inTurns } from './lib/rounds.js';

const CONNECTIONS = 8;
const ROUND_MS = 1500;
/** More addresses than a round can use, so that none is cached. */
const NEW_ADDRESSES = 4000;
/** Round trips: greeting, EHLO, MAIL with RCPT. */
const PROBE_ROUND_TRIPS = 3;

async function main(): Promise<void> {
  const { url, key } = apiUnderTest();
  const single = new URL('/v1/verify/single', url);
  const { emails } = await recordedAddresses(key, CONNECTIONS);
  let series = 0;
  const run = async (bodies: readonly object[]): Promise<readonly number[]> => {
    const requests = bodies.map((body) => ({ headers: { 'x-api-key': key }, body: JSON.stringify(body) }));
    return (await load(single, { connections: CONNECTIONS, requests, ms: ROUND_MS })).tookMs;
  };
  const unseen = (body: (mark: string) => object): object[] => {
    const round = `${process.pid}-${series++}`;
    return Array.from({ length: NEW_ADDRESSES }, (_, nth) => body(`${round}-${nth}`));
  };
  const took = await inTurns({
    recorded: () => run(emails.map((email) => ({ email }))),
    dns: () => run(unseen((mark) => ({ email: `anybody@n${mark}.cold.test`, mode: 'quick' }))),
    probed: () => run(unseen((mark) => ({ email: `new${mark}@${ROOMY_DOMAIN}` }))),
  });
  const limit = PROBE_ROUND_TRIPS * ROUND_TRIP_MS;
  report([
    ...figures('on record', took.recorded, 'settled by DNS', took.dns),
    ...figures('settled by DNS', took.dns, 'on record', took.recorded),
    ...figures(
      'probed at 20 ms',
      took.probed,
      `${PROBE_ROUND_TRIPS} round trips`,
      took.probed.map(() => [limit]),
    ),
  ]);
}

function figures(
  what: string,
  rounds: readonly (readonly number[])[],
  than: string,
  theirs: readonly (readonly number[])[],
): Figure[] {
  return [0.5, 0.95, 0.99].map((p) => ({
    what: `single ${what}, ${CONNECTIONS} connections: p${p * 100}`,
    unit: 'ms',
    rounds: rounds.map((each) => percentile(each, p)),
    baseline: { what: than, rounds: theirs.map((each) => percentile(each, p)) },
  }));
}

void main();
