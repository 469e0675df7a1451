/** A batch of 100 cached addresses, compared with the same 100 as singles: addresses per second. */
import { apiUnderTest } from './lib/api-under-test.js';
import { makeAccounts } from './lib/bench-accounts.js';
import { report } from './lib/figure.js';
import { contest, productServer } from './lib/http-contest.js';
import { recordedAddresses, requestsOf } from './lib/recorded-addresses.js';

const ADDRESSES = 100;
const CONNECTIONS = 16;

async function main(): Promise<void> {
  const { databaseUrl, key } = apiUnderTest();
  const accounts = await makeAccounts(databaseUrl, 1);
  const { emails } = await recordedAddresses(key, ADDRESSES);
  const batch = { headers: { 'x-api-key': accounts[0]!.key }, body: JSON.stringify({ emails }) };
  const runs = await contest({
    singles: {
      server: productServer('/v1/verify/single'),
      connections: CONNECTIONS,
      requests: requestsOf(accounts, emails),
    },
    batches: { server: productServer('/v1/verify/batch'), connections: CONNECTIONS, requests: [batch] },
  });
  report([
    {
      what: `cached batch of ${ADDRESSES}, ${CONNECTIONS} connections: addresses`,
      unit: '/s',
      rounds: runs.batches.map(({ perSecond }) => perSecond * ADDRESSES),
      baseline: { what: 'the same as singles', rounds: runs.singles.map(({ perSecond }) => perSecond) },
      target: { atLeast: 15 },
    },
    {
      what: `cached batch of ${ADDRESSES}, ${CONNECTIONS} connections: processor time of an address`,
      unit: 'µs',
      rounds: runs.batches.map(({ cpuMicros }) => cpuMicros / ADDRESSES),
      baseline: { what: 'the same as singles', rounds: runs.singles.map(({ cpuMicros }) => cpuMicros) },
    },
  ]);
}

void main();
