import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ACCEPTED } from '../lab/smtp/mail-host.js';
import { domainWithHost } from '../lab/world.js';
import { waitUntil } from '../support/wait-until.js';
import { ask, BillingBench, single } from './billing-api.js';

/** Of the other customer, one after the other. */
const CALLS = 4;

let bench: BillingBench;
let api: NestFastifyApplication;
beforeAll(async () => {
  bench = await BillingBench.start(domainWithHost('busy.example', { otherRecipients: ACCEPTED, delayMs: 20 }));
  // The limits towards hosts that are in no table, as they are outside of a laboratory.
  api = await bench.startApi({ SMTP_MAX_CONNECTIONS: '2', SMTP_RECIPIENTS_PER_MINUTE: '60' });
});
afterAll(() => bench?.close());

it("thirty concurrent calls for one mail host delay another customer's calls by one turn each", async () => {
  const [many, few] = [
    await bench.newCaller('free-0', { purchased: 1000 }),
    await bench.newCaller('free-0', { purchased: 20 }),
  ];
  let [names, served] = [0, 0];
  const over = new AbortController();
  const verify = async (key: string, localPart: string): Promise<number> =>
    (await ask(api, key, { payload: single(`${localPart}@busy.example`) })).status;
  const crowd = Array.from({ length: 30 }, async () => {
    while (!over.signal.aborted) {
      names += 1;
      if ((await verify(many.live, `many${names}`)) === 200) served += 1;
    }
  });
  // What may be asked about at once after a rest is used up: from now on it is one recipient a second.
  expect(await waitUntil(async () => served >= 10, { ms: 60_000 })).toBe(true);
  const before = served;
  const statuses: number[] = [];
  for (let i = 0; i < CALLS; i += 1) {
    statuses.push(await verify(few.live, `few${i}`));
  }
  const meanwhile = served - before;
  over.abort();
  await Promise.all(crowd);
  expect(statuses).toEqual(statuses.map(() => 200));
  expect(meanwhile).toBeLessThanOrEqual(2 * CALLS + 2);
});
