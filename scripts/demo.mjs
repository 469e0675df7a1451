/**
 * npm run demo [-- --once] [--name NAME]: runs the whole service on this machine, with addresses of a laboratory
 * internet over real DNS and SMTP. Stays up until Ctrl-C; with --once it ends after the table, with exit code 0 if
 * every verdict is right. Another name gives a second demo with its own data.
 */
import { join } from 'node:path';
import { allOf } from './lib/all-of.mjs';
import { accountLines, ownAccount } from './lib/account.mjs';
import { consoleLines, firstUser } from './lib/console.mjs';
import { startLaboratory } from './lib/laboratory.mjs';
import { shortPath } from './lib/paths.mjs';
import { prepare } from './lib/prepare.mjs';
import { bringUpServers } from './lib/private-servers.mjs';
import { cli, startConsole, startProduct } from './lib/product.mjs';
import { runScript } from './lib/run-script.mjs';
import { say, step } from './lib/say.mjs';
import { scriptOptions } from './lib/script-options.mjs';
import { keptSecret } from './lib/secret.mjs';
import { table } from './lib/table.mjs';
import { curlLine, verifySingle } from './lib/verify.mjs';

const { once, name } = scriptOptions(
  process.argv.slice(2),
  { once: { type: 'boolean', default: false }, name: { type: 'string', default: 'demo' } },
  'npm run demo -- [--once] [--name NAME]',
);

/** A host of the laboratory never greets: that is soon given up, and on a busy machine the others have time to answer. */
const greetingMs = 4000;
const deadlineMs = 20_000;

/** The worker still probes those hosts after the table: a short grace, so that stopping the demo does not wait. */
const graceMs = 1000;

await runScript(name, async ({ folder, keeper, untilStopped }) => {
  const logs = join(folder, 'logs');
  say('Mailvet demo');
  const [{ databaseUrl, redisUrl }] = await allOf(
    bringUpServers(keeper, { folder }),
    prepare({ keeper, folder, development: false }),
  );
  const lab = await step('Laboratory internet', async () => {
    const started = await startLaboratory(keeper, logs);
    return { ...started, said: `name server ${started.dnsServer}, mail hosts on port ${started.smtpPort}` };
  });
  const environment = {
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    HOST: '127.0.0.1',
    METRICS_PORT: '0',
    ADDRESS_HASH_SECRET: `1:${keptSecret(join(folder, 'address-hash-secret'))}`,
    SHUTDOWN_DELAY_MS: '0',
    SHUTDOWN_GRACE_MS: String(graceMs),
    DNS_SERVERS: lab.dnsServer,
    SMTP_PORT: String(lab.smtpPort),
    SMTP_HELO_NAME: 'verify.mailvet.test',
    SMTP_ALLOW_PRIVATE_NETWORKS: 'true',
    SMTP_GREETING_TIMEOUT_MS: String(greetingMs),
    VERIFY_DEADLINE_MS: String(deadlineMs),
  };
  await step('Migrating the database', async () => said(await cli(['migrate'], environment)));
  const { url } = await step('API and worker', async () => {
    const started = await startProduct(keeper, { logs, environment });
    return { ...started, said: started.url };
  });
  const own = await ownAccount({ folder, url, environment, name: 'Demo', plan: 'growth' });
  const key = own.liveKey;

  // One host is silent for seconds: the console starts meanwhile.
  const [checked, people] = await Promise.all([
    step(`Verifying ${lab.addresses.length} addresses at once, each with POST /v1/verify/single`, () =>
      Promise.all(
        lab.addresses.map(async (example) => {
          const answer = await verifySingle({ url, key }, { email: example.address, mode: example.mode });
          return { example, answer, wrong: faults(example, answer.body) };
        }),
      ),
    ),
    once ? null : openConsole(),
  ]);
  say(`\n${fittingTable(checked.map(row))}`);
  const wrong = checked.filter((one) => one.wrong.length > 0);
  for (const one of wrong) say(`\n  ${one.example.address} is not as expected: ${one.wrong.join(', ')}`);
  say(`\n  ${checked.length - wrong.length} of ${checked.length} verdicts are as expected.`);
  if (once) {
    say('  To keep it running and ask it yourself: npm run demo. Against the real internet: npm start.');
    return wrong.length === 0 ? 0 : 1;
  }

  say(`\n${consoleLines(people.user, people.consoleUrl)}`);
  say('\nTry it yourself:\n');
  say(curlLine({ url, key }, { email: lab.addresses[0].address }));
  say();
  say(curlLine({ url, key }, { email: lab.addresses.at(-1).address, mode: 'enhanced' }));
  say(`\n${accountLines(own, environment, url)}`);
  say(`\nLogs are in ${shortPath(logs)}. Against the real internet: npm start. Ctrl-C stops everything.`);
  return untilStopped();

  /** The account console, its first user, and a history to look at. */
  async function openConsole() {
    const { account } = own;
    // An account that has a history already keeps it.
    const history = step('Made-up history', () =>
      cli(['demo-data', account], environment).catch(() => ({ said: 'as before' })),
    );
    const { url: consoleUrl } = await step('Account console', async () => {
      const started = await startConsole(keeper, { logs, environment, apiUrl: url });
      return { ...started, said: started.url };
    });
    const user = await firstUser({ folder, url: consoleUrl, environment, account, email: 'demo@example.com' });
    await history;
    return { consoleUrl, user };
  }
});

function said({ applied }) {
  return { said: applied.length === 0 ? 'up to date' : `${applied.length} applied` };
}

function row({ example, answer, wrong }) {
  const { result, reason, deliverable, score, error } = answer.body;
  return [
    example.address,
    example.mode,
    error ? `HTTP ${answer.status}` : result,
    error ? error.code : (reason ?? '-'),
    deliverable === null || error ? '-' : deliverable ? 'yes' : 'no',
    typeof score === 'number' ? score.toFixed(2) : '-',
    answer.ms,
    wrong.length === 0 ? example.shows : `NOT AS EXPECTED: ${example.shows}`,
  ];
}

/** All columns; on a narrow terminal all but the last, which only explains. */
function fittingTable(rows) {
  const titles = ['address', 'mode', 'result', 'reason', 'deliverable', 'score', 'ms', 'what it shows'];
  const whole = table(titles, rows);
  const width = Math.max(...whole.split('\n').map((line) => line.length));
  if (width <= (process.stdout.columns ?? Infinity)) return whole;
  const withoutLast = (cells) => cells.slice(0, -1);
  return table(withoutLast(titles), rows.map(withoutLast));
}

/** What of an answer is not as expected; what it may have become since an earlier demonstration is. */
function faults({ expect, expectLater }, body) {
  return expectLater && differences(expectLater, body).length === 0 ? [] : differences(expect, body);
}

function differences(expected, body) {
  return Object.entries(expected)
    .filter(([field, value]) => body[field] !== value)
    .map(([field, value]) => `${field} is ${JSON.stringify(body[field])}, not ${JSON.stringify(value)}`);
}
