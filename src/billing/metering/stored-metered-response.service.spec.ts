import { Logger } from '@nestjs/common';
import { meteredScene } from '../../../test/factories/metering.js';
import type { AppError } from '../../platform/errors/app-error.js';
import { NO_FUNDS, pay, type Funds } from '../funds.js';
import type { IdempotencyService } from '../idempotency/idempotency.service.js';
import { priceOf } from '../price.js';
import type {
  Storage,
  StorageOutcome,
  StoredMeteredResponseRepository,
  Transaction,
} from './stored-metered-response.repository.js';
import { StoredMeteredResponseService } from './stored-metered-response.service.js';
import type { StoredMeteredResponse } from './stored-metered-response.js';

const FUNDS: Funds = { purchased: 100, gifted: 0, month: 202611, freeVerifiesUsed: 0 };
const DEADLOCK = Object.assign(new Error('Deadlock found'), { errno: 1213 });
const paidFrom = (storage: Storage) => {
  const settlement = storage.charge && pay(FUNDS, storage.charge.price, 0);
  return settlement?.kind === 'paid' ? settlement : null;
};
const stored = (storage: Storage): StorageOutcome => ({ kind: 'stored', paid: paidFrom(storage) });
const lost = (storage: Storage): StorageOutcome => ({
  kind: 'unknown',
  paid: paidFrom(storage),
  cause: new Error('connection lost'),
});

/** A call whose transactions have these outcomes, in order. */
function callWith(fates: readonly ((storage: Storage) => StorageOutcome)[], mode: 'live' | 'test' = 'live') {
  const asked: Storage[] = [];
  const released: number[] = [];
  const idempotency = {
    begin: async () => ({ kind: 'first', lease: { recordId: 7, lease: Buffer.alloc(16) } }),
    release: ({ recordId }: { recordId: number }) => void released.push(recordId),
  } as unknown as IdempotencyService;
  const storage = {
    commit: async (wanted: Storage) => {
      asked.push(wanted);
      await wanted.store({} as Transaction);
      return fates[asked.length - 1]!(wanted);
    },
  } as unknown as StoredMeteredResponseRepository;
  const storedResponses = new StoredMeteredResponseService(idempotency, storage);
  const scene = meteredScene({
    kind: 'job',
    mode,
    funds: FUNDS,
    idempotencyKey: 'k',
    idempotency,
    storedResponses,
  });
  const run = (response: StoredMeteredResponse) =>
    scene.run(async (hold) => {
      await hold.reserve(response.price, 10);
      return response;
    });
  return { run, asked, released, headers: scene.headers, holds: scene.holds };
}

function deliveryOf(over: Partial<StoredMeteredResponse> = {}) {
  const events: string[] = [];
  const response: StoredMeteredResponse = {
    status: 202,
    body: { id: 'j' },
    headers: { Location: '/j' },
    reference: 'job:j',
    price: priceOf([1, 1, 0]),
    store: async () => void events.push('store'),
    storeHeld: async () => undefined,
    stands: async () => true,
    after: () => void events.push('after'),
    ...over,
  };
  return { response, events };
}

const codeOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'none',
    (error: unknown) => (error as AppError).code,
  );

it('stores the response, charges for it, and answers with its headers', async () => {
  const { run, asked, headers, released } = callWith([stored]);
  const { response, events } = deliveryOf();
  expect(await run(response)).toBe('{"id":"j"}');
  expect(asked[0]?.charge).toMatchObject({ reference: 'job:j', price: { addresses: 2, credits: 2 } });
  expect(asked[0]?.answer).toMatchObject({ recordId: 7, status: 202, headers: { Location: '/j' } });
  expect(String(asked[0]?.answer?.body)).toBe('{"id":"j"}');
  expect(headers()).toMatchObject({ 'X-Credits-Used': '2', 'X-Credits-Remaining': '98', Location: '/j' });
  expect(events).toEqual(['store', 'after']);
  expect(released).toEqual([]);
});

it('frees what it held, and says what is left', async () => {
  const { run, holds } = callWith([stored]);
  const freed: (Funds | null)[] = [];
  const prefix = { entries: 3, price: priceOf([1, 1, 0]) };
  holds.acquire = async () => ({ kind: 'held', prefix, release: (left) => void freed.push(left) });
  await run(deliveryOf().response);
  expect(freed).toEqual([{ ...FUNDS, purchased: 98 }]);
});

it.each<[string, 'live' | 'test', Partial<StoredMeteredResponse>]>([
  ['what costs nothing', 'live', { price: priceOf([0]) }],
  ['what a sandbox key asks for', 'test', {}],
])('%s is stored without a charge', async (_, mode, over) => {
  const { run, asked } = callWith([stored], mode);
  const { response } = deliveryOf(over);
  await run(response);
  expect(asked[0]?.charge).toBeNull();
  expect(asked[0]?.answer).not.toBeNull();
});

it('retries after a deadlock, but not for ever', async () => {
  const deadlock = (): never => {
    throw DEADLOCK;
  };
  const lucky = callWith([deadlock, deadlock, stored]);
  await lucky.run(deliveryOf().response);
  expect(lucky.asked).toHaveLength(3);
  const unlucky = callWith(Array.from({ length: 100 }, () => deadlock));
  await expect(unlucky.run(deliveryOf().response)).rejects.toBe(DEADLOCK);
  expect(unlucky.asked.length).toBeLessThan(100);
  expect(unlucky.released).toEqual([7]);
});

describe('when the result of a COMMIT is lost', () => {
  it('answers a committed response as usual', async () => {
    const { run, headers } = callWith([lost]);
    const { response, events } = deliveryOf();
    expect(await run(response)).toBe('{"id":"j"}');
    expect(headers()).toMatchObject({ 'X-Credits-Used': '2', 'X-Credits-Remaining': '98' });
    expect(events).toEqual(['store', 'after']);
  });

  it('reads until it knows whether the response was committed', async () => {
    const answers = [new Error('locked'), new Error('locked'), true];
    const { run } = callWith([lost]);
    const { response } = deliveryOf({
      stands: async () => {
        const answer = answers.shift()!;
        if (answer instanceof Error) throw answer;
        return answer;
      },
    });
    expect(await run(response)).toBe('{"id":"j"}');
  });

  it('refuses a response that was not committed; the caller may retry', async () => {
    const { run, released, headers } = callWith([lost]);
    const { response, events } = deliveryOf({ stands: async () => false });
    expect(await codeOf(run(response))).toBe('service_unavailable');
    expect(events).toEqual(['store']);
    expect(released).toEqual([7]);
    expect(headers()).not.toHaveProperty('Location');
  });
});

it.each<[StorageOutcome, string]>([
  [{ kind: 'superseded' }, 'idempotency_conflict'],
  [{ kind: 'insufficient', shortfall: 5, funds: NO_FUNDS }, 'insufficient_credits'],
])('%j is refused', async (outcome, code) => {
  const { run } = callWith([() => outcome]);
  const { response, events } = deliveryOf();
  expect(await codeOf(run(response))).toBe(code);
  expect(events).toEqual(['store']);
});

it('a refusal for lack of credits names the free verifies that the whole call needs', async () => {
  const { run } = callWith([() => ({ kind: 'insufficient', shortfall: 5, funds: NO_FUNDS })]);
  await expect(run(deliveryOf().response)).rejects.toThrow(
    '0 free verifies are left this month, and this call needs 2.',
  );
});

it('leaves the key of a disconnected client to its next call', async () => {
  const { run, released } = callWith([() => ({ kind: 'withdrawn' })]);
  const { response, events } = deliveryOf();
  await run(response);
  expect(events).toEqual(['store']);
  expect(released).toEqual([7]);
});

it('is not failed by later errors', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const { run } = callWith([stored]);
  const { response } = deliveryOf({
    after: () => {
      throw new Error('no queue');
    },
  });
  expect(await run(response)).toBe('{"id":"j"}');
  expect(logged).toHaveBeenCalledTimes(1);
  logged.mockRestore();
});
