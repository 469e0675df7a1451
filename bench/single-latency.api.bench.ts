/** Latency of one `single` over HTTP: cached, settled by DNS, and with a mail host 20 ms away. */
import { apiUnderTest } from './lib/api-under-test.js';
import { ROOMY_DOMAIN, ROUND_TRIP_MS } from './lib/bench-world.js';
import { report, type Figure } from './lib/figure.js';
import { load } from './lib/http-load.js';
import { crawlsAreDone } from './lib/idle-worker.js';
import { percentile } from './lib/rate.js';
import { recordedAddresses } from './lib/recorded-addresses.js';
import { inTurns } from './lib/rounds.js';

const CONNECTIONS = 8;
const ROUND_MS = 1500;
/** Warm-up, so that compilation is not measured. */
const WARM_UP = { connections: 32, ms: 8000 };
/** A probe is more code than a cached call: the API takes twice the processor time for one in the first thousand. */
const PROBES_OF_WARM_UP = 6000;
/** More addresses than a round can use, so that none is cached. */
const NEW_ADDRESSES = 6000;
/** Round trips: greeting, EHLO, MAIL with RCPT. */
const PROBE_ROUND_TRIPS = 3;

async function main(): Promise<void> {
  const { url, key } = apiUnderTest();
  const single = new URL('/v1/verify/single', url);
  const { emails } = await recordedAddresses(key, CONNECTIONS);
  let series = 0;
  const run = async (
    bodies: readonly object[],
    { connections, ms } = { connections: CONNECTIONS, ms: ROUND_MS },
  ): Promise<readonly number[]> => {
    const requests = bodies.map((body) => ({ headers: { 'x-api-key': key }, body: JSON.stringify(body) }));
    return (await load(single, { connections, requests, ms })).tookMs;
  };
  const unseen = (body: (mark: string) => object): object[] => {
    const round = `${process.pid}-${series++}`;
    return Array.from({ length: NEW_ADDRESSES }, (_, nth) => body(`${round}-${nth}`));
  };
  const bodies = {
    recorded: () => emails.map((email) => ({ email })),
    dns: () => unseen((mark) => ({ email: `anybody@n${mark}.cold.test`, mode: 'quick' })),
    probed: () => unseen((mark) => ({ email: `new${mark}@${ROOMY_DOMAIN}` })),
  };
  // By itself: the worker crawls each domain that `dns` asks about, beside whatever is measured then.
  await crawlsAreDone();
  for (let done = 0; done < PROBES_OF_WARM_UP;) done += (await run(bodies.probed(), WARM_UP)).length;
  const { probed } = await inTurns({ probed: () => run(bodies.probed()) });
  for (const next of [bodies.recorded, bodies.dns]) await run(next(), WARM_UP);
  const took = await inTurns({
    recorded: () => run(bodies.recorded()),
    dns: () => run(bodies.dns()),
  });
  const limit = PROBE_ROUND_TRIPS * ROUND_TRIP_MS;
  report([
    ...figures('on record', took.recorded, 'settled by DNS', took.dns),
    ...figures('settled by DNS', took.dns, 'on record', took.recorded),
    ...figures(
      'probed at 20 ms',
      probed,
      `${PROBE_ROUND_TRIPS} round trips`,
      probed.map(() => [limit]),
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
