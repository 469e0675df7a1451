/**
 * Durable charges through the batcher, compared with one transaction each; and the cost of a charge per HTTP request.
 */
import type { Charge } from '../src/billing/charging/charge.js';
import { ChargeRepository } from '../src/billing/charging/charge.repository.js';
import { openChargeBatcher } from '../src/billing/charging/open-charge-batcher.js';
import { parseDatabaseUrl } from '../src/platform/config/database-url.js';
import { PacketConnection } from '../src/platform/database/packet-connection.js';
import { newId } from '../src/platform/ids/uuid.js';
import { apiUnderTest } from './lib/api-under-test.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { report, type Figure } from './lib/figure.js';
import { load } from './lib/http-load.js';
import { settledPerSecond } from './lib/rate.js';
import { inTurns } from './lib/rounds.js';

const CALLERS = 64;
const CONNECTIONS = 20;
const CHARGES = { batcher: 4000, single: 600 };
const HTTP_CONNECTIONS = 32;
const ROUND_MS = 2000;

async function main(): Promise<void> {
  const { databaseUrl } = apiUnderTest();
  const target = parseDatabaseUrl(databaseUrl);
  if (target === null) throw new Error('BENCH_DATABASE_URL is no database');
  const accounts = (await makeAccounts(databaseUrl, 20)).map(({ id }) => id);

  const opened = openChargeBatcher(target, { answerHours: 24, onTrouble: (what) => console.error(what) });
  const pool = Array.from({ length: CONNECTIONS }, () => {
    const session = ['SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED'];
    const connection = new PacketConnection(target, { silenceMs: 20_000, session });
    return { connection, store: new ChargeRepository(connection, { whenHeld: 'wait', answerHours: 24 }) };
  });
  const figures: Figure[] = [];
  for (const count of [1, accounts.length]) {
    const account = (i: number): string => accounts[i % count]!;
    const rates = await inTurns({
      single: () => eachByItself(pool, account),
      batcher: () =>
        settledPerSecond(CHARGES.batcher, CALLERS, (i) => opened.charge(chargeOf(account(i)), () => false)),
    });
    figures.push({
      what: `durable charges, ${CALLERS} callers of ${count === 1 ? 'one account' : `${count} accounts`}`,
      unit: '/s',
      rounds: rates.batcher,
      baseline: { what: 'one transaction each', rounds: rates.single },
    });
  }
  await opened.close();
  for (const { connection } of pool) connection.drop();
  figures.push(await overHttp());
  report(figures);
}

/** As many concurrent transactions as connections. */
async function eachByItself(
  pool: readonly { readonly store: ChargeRepository }[],
  account: (i: number) => string,
): Promise<number> {
  const free = [...pool];
  return settledPerSecond(CHARGES.single, pool.length, async (i) => {
    const taken = free.pop()!;
    await taken.store.charge([{ charge: chargeOf(account(i)), mayStand: false, intent: 'charge' }]);
    free.push(taken);
  });
}

async function overHttp(): Promise<Figure> {
  const { url, key } = apiUnderTest();
  const run = async (body: object): Promise<number> => {
    const requests = [{ headers: { 'x-api-key': key }, body: JSON.stringify(body) }];
    const options = { connections: HTTP_CONNECTIONS, requests, ms: ROUND_MS };
    return (await load(new URL('/v1/verify/single', url), options)).perSecond;
  };
  // A role address: settled without a probe, and billed.
  const rates = await inTurns({
    quick: () => run({ email: 'info@company.example', mode: 'quick' }),
    billed: () => run({ email: 'info@company.example' }),
  });
  return {
    what: `billed single over HTTP, ${HTTP_CONNECTIONS} connections: requests`,
    unit: '/s',
    rounds: rates.billed,
    baseline: { what: 'a quick one, which is free', rounds: rates.quick },
  };
}

function chargeOf(accountId: string): Charge {
  return {
    accountId,
    keyId: accountId,
    reference: `single:${newId()}`,
    price: { addresses: 1, credits: 1, unitPrice: 1 },
    freeVerifiesPerMonth: 0,
    answer: null,
  };
}

void main();
