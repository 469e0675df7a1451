import { Simulation, type Counts } from '../../simulator/simulation.js';
import { politenessOptions } from '../../src/platform/politeness/politeness-options.js';
import { makeAccount } from './billing-support.js';
import { completed, JobBench, submitJobRows, tellWorker } from './job-support.js';
import { bothWorlds } from './simulated-world.js';

/** Thousands of addresses; `npm run test:chaos` has ten. */
const THOUSANDS = Number(process.env['SIMULATOR_THOUSANDS'] ?? 2);
/** The limits of the product, which a laboratory does without. */
const LIMITS = { maxConnections: 2, recipientsPerMinute: 60 };
const CONCURRENCY = 20;
const GREYLIST_RETRY_MS = 1500;
const LONGEST_MS = 120_000 * THOUSANDS;
/** How far the model may be off. */
const TOLERANCE = 0.1;

jest.setTimeout(LONGEST_MS + 240_000);

const worlds = bothWorlds(THOUSANDS);
let bench: JobBench;

beforeAll(async () => {
  bench = await JobBench.start(worlds.laboratory);
});
afterAll(() => bench?.close());

/** The job in the model, with the same settings. */
function modelled(): Counts {
  const { limits, ...backOff } = politenessOptions({ allowPrivateNetworks: true, ...LIMITS });
  const simulation = new Simulation({
    workers: 1,
    coresPerWorker: 1,
    concurrency: CONCURRENCY,
    egress: 1,
    limits,
    backOff: { providerStrikes: backOff.providerStrikes!, firstPauseMs: backOff.firstPauseMs! },
    deadlineMs: 60_000,
    greylistRetryMs: GREYLIST_RETRY_MS,
    costs: { addressMs: 1, connectionMs: 1 },
    roundTripsToConnect: 1,
  });
  simulation.submit(worlds.recipients());
  simulation.clock.run();
  return simulation.counted;
}

/** What the mail hosts of the laboratory have seen. */
function seen(): Pick<Counts, 'connections' | 'recipients'> {
  const sessions = worlds.hosts.flatMap((host) => bench.lab.sessions(host));
  const commands = sessions.flatMap((session) => session.commands);
  return { connections: sessions.length, recipients: commands.filter((line) => line.startsWith('RCPT ')).length };
}

it('the model makes as many connections and asks about as many recipients as a worker, within a tenth', async () => {
  const worker = await bench.startWorker({
    SMTP_MAX_CONNECTIONS: String(LIMITS.maxConnections),
    SMTP_RECIPIENTS_PER_MINUTE: String(LIMITS.recipientsPerMinute),
    WORKER_CONCURRENCY: String(CONCURRENCY),
    GREYLIST_RETRY_MS: String(GREYLIST_RETRY_MS),
  });
  const account = await makeAccount(bench.dataSource, { purchased: worlds.emails.length });
  const jobId = await submitJobRows(bench.dataSource, account, worlds.emails);
  tellWorker(worker, jobId);
  expect(await completed(bench.dataSource, jobId, LONGEST_MS)).toBe(true);

  const [real, model] = [seen(), modelled()];
  expect(model.addresses).toBe(worlds.emails.length);
  for (const what of ['connections', 'recipients'] as const) {
    const found = { what, real: real[what], model: model[what] };
    // All three, so that a failure shows them.
    expect({ ...found, isNear: Math.abs(found.model / found.real - 1) <= TOLERANCE }).toEqual({
      ...found,
      isNear: true,
    });
  }
});
