import { only } from '../../../test/factories/only.js';
import { Logger } from '@nestjs/common';
import { meteredScene } from '../../../test/factories/metering.js';
import { serviceUnavailable } from '../../platform/errors/service-unavailable.js';
import { NotCharged, type Charge, type ChargeOutcome } from '../charging/charge.js';
import type { ChargeBatcher } from '../charging/charge-batcher.js';
import { pay, type Funds } from '../funds.js';
import type { CreditHold } from '../holds/credit-hold.js';
import type { FreeAnswers } from '../idempotency/free-answers.js';
import type { IdempotencyService } from '../idempotency/idempotency.service.js';
import { priceOf, type Price } from '../price.js';
import type { MeteredCall } from './metered-call.js';
import { MeteredResponseService } from './metered-response.service.js';
import type { MeteredResponse } from './metered-response.js';

const funds = (purchased: number): Funds => ({ purchased, gifted: 0, month: 202611, freeVerifiesUsed: 0 });

/** A batcher with the given credits at each charge in turn; the last figure repeats. */
function batcherOf(...balances: number[]) {
  const charges: Charge[] = [];
  return {
    charges,
    charge: async (charge: Charge): Promise<ChargeOutcome> => {
      const now = funds(balances[Math.min(charges.length, balances.length - 1)]!);
      charges.push(charge);
      const settlement = pay(now, charge.price, charge.freeVerifiesPerMonth);
      return settlement.kind === 'paid' ? { ...settlement, kind: 'charged' } : { ...settlement, funds: now };
    },
  };
}

interface World {
  readonly read?: number;
  readonly mode?: 'live' | 'test';
  readonly charge: ChargeBatcher['charge'];
}

function callWith({ read = 100, mode = 'live', charge }: World) {
  const idempotency = {} as IdempotencyService;
  const freeAnswers = { count: async () => undefined } as unknown as FreeAnswers;
  const responses = new MeteredResponseService(only({ charge }), idempotency, freeAnswers);
  return meteredScene({ kind: 'batch', mode, funds: funds(read), idempotency, responses });
}

/** A list whose entries are answered by their number, or `no` if not paid for. */
function listOf(unitPrices: readonly number[], told: string[] = []): MeteredResponse {
  const to = (entries: number): MeteredResponse => {
    const waiting = unitPrices.slice(0, entries).map((credits, i) => ({ waitsOn: 'p', part: String(i), credits }));
    return {
      status: 200,
      body: unitPrices.map((_, i) => (i < entries ? i : 'no')),
      price: priceOf(unitPrices.slice(0, entries)),
      waiting: waiting.filter(({ credits }) => credits > 0),
      after: (paid) => void told.push(`${entries} ${paid}`),
    };
  };
  return { ...to(unitPrices.length), shorten: { unitPrices, to } };
}

describe('a list that the balance covers in part', () => {
  it('is charged and answered up to the first entry that cannot be paid', async () => {
    const batcher = batcherOf(4);
    const told: string[] = [];
    const { run, headers } = callWith(batcher);
    expect(await run(async () => listOf([1, 0, 3, 0, 3], told))).toBe('[0,1,2,3,"no"]');
    expect(batcher.charges.map(({ price }) => price.credits)).toEqual([7, 4]);
    expect(batcher.charges[1]?.waiting?.map(({ part }) => part)).toEqual(['0', '2']);
    expect(headers()).toMatchObject({ 'X-Credits-Used': '4', 'X-Credits-Remaining': '0' });
    expect(told).toEqual(['4 true']);
  });

  it('is shortened again if other calls spent credits meanwhile', async () => {
    const batcher = batcherOf(3, 2, 1);
    const told: string[] = [];
    expect(await callWith(batcher).run(async () => listOf([1, 1, 1, 1], told))).toBe('[0,"no","no","no"]');
    expect(batcher.charges.map(({ price }) => price.credits)).toEqual([4, 3, 2, 1]);
    expect(new Set(batcher.charges.map(({ reference }) => reference)).size).toBe(1);
    expect(told).toEqual(['1 true']);
  });

  it('is refused with its full price if no billable entry is left', async () => {
    const told: string[] = [];
    const call = callWith(batcherOf(2, 0)).run(async () => listOf([0, 1, 1, 1], told));
    await expect(call).rejects.toMatchObject({
      code: 'insufficient_credits',
      headers: { 'X-Credits-Required': '3' },
    });
    expect(told).toEqual(['3 false']);
  });

  it('is refused in the end if other calls keep spending the credits', async () => {
    const batcher = batcherOf(19, 18, 17, 16, 15, 14, 13, 12, 11);
    await expect(callWith(batcher).run(async () => listOf(Array(20).fill(1)))).rejects.toMatchObject({
      code: 'insufficient_credits',
    });
    expect(batcher.charges.length).toBeLessThan(8);
  });

  it('counts the entries that were not admitted as missing', async () => {
    const { run } = callWith({ ...batcherOf(0), read: 2 });
    const call = run(async (hold) => listOf([1, 1, 1, 1].slice(0, await hold.reservePrefix([1, 1, 1, 1], 10))));
    await expect(call).rejects.toMatchObject({ headers: { 'X-Credits-Required': '4' } });
  });

  it('is refused whole if the response cannot be shortened', async () => {
    const { shorten: _, ...whole } = listOf([1, 1]);
    await expect(callWith(batcherOf(1)).run(async () => whole)).rejects.toMatchObject({ code: 'insufficient_credits' });
  });
});

describe('the callback after the charge', () => {
  const one = (told: string[], overrides: Partial<MeteredResponse> = {}): MeteredResponse => ({
    status: 200,
    body: {},
    price: priceOf([1]),
    after: (paid) => void told.push(String(paid)),
    ...overrides,
  });
  const told = async (world: World, overrides?: Partial<MeteredResponse>): Promise<string[]> => {
    const said: string[] = [];
    await callWith(world)
      .run(async () => one(said, overrides))
      .catch(() => undefined);
    return said;
  };
  const answering = (outcome: ChargeOutcome) => ({ charge: async () => outcome });

  it('reports a paid or a free response', async () => {
    expect(await told(batcherOf(1))).toEqual(['true']);
    expect(await told(batcherOf(0), { price: priceOf([0]) })).toEqual(['true']);
    expect(await told({ ...batcherOf(0), mode: 'test' })).toEqual(['true']);
  });

  it.each<[string, World]>([
    ['the balance is too low', batcherOf(0)],
    ['the client is gone', answering({ kind: 'withdrawn' })],
    ['another call has taken over', answering({ kind: 'superseded' })],
    [
      'the charge failed',
      {
        charge: () => Promise.reject(new Error('lost')),
      },
    ],
  ])('is that it was not when %s', async (_, world) => {
    expect(await told(world)).toEqual(['false']);
  });

  it.each<[string, boolean, Error]>([
    ['null', true, new Error('late')],
    ['false', true, new NotCharged('too many are waiting')],
    ['false', false, new Error('late')],
  ])('says %s when the charge failed, with an Idempotency-Key: %s, because of %s', async (says, isKeyed, cause) => {
    const said: string[] = [];
    const charge = () => Promise.reject(serviceUnavailable(cause));
    const responses = new MeteredResponseService(only({ charge }), {} as IdempotencyService, {} as FreeAnswers);
    const call = {
      kind: 'single',
      caller: { mode: 'live', plan: {} },
      lease: isKeyed ? {} : null,
      hold: { priceWithinCall: (_: Price, price: Price) => price },
    } as unknown as MeteredCall;
    await expect(responses.charge(call, one(said))).rejects.toMatchObject({ code: 'service_unavailable' });
    expect(said).toEqual([says]);
  });

  it('is not called for a call that failed earlier', async () => {
    await expect(callWith(batcherOf(1)).run(() => Promise.reject(new Error('no check')))).rejects.toThrow('no check');
  });

  it.each([[1], [0]])('leaves the headers of the answer at a price of %i', async (price) => {
    const { run, headers } = callWith(batcherOf(1));
    await run(async () => one([], { price: priceOf([price]), headers: { 'Retry-After': '2' } }));
    expect(headers()).toMatchObject({ 'Retry-After': '2' });
  });

  it('is awaited before the answer of a paid call', async () => {
    let done!: () => void;
    const after = () => new Promise<void>((resolve) => (done = resolve));
    const answered = jest.fn();
    const running = callWith(batcherOf(1))
      .run(async () => one([], { after }))
      .then(answered);
    await new Promise(setImmediate);
    expect(answered).not.toHaveBeenCalled();
    done();
    await running;
    expect(answered).toHaveBeenCalledWith('{}');
  });

  it('cannot fail a paid response', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const { run } = callWith(batcherOf(1));
    const after = () => {
      throw new Error('queue');
    };
    expect(await run(async () => one([], { after }))).toBe('{}');
    expect(logged).toHaveBeenCalledTimes(1);
    logged.mockRestore();
  });
});

it('answers a free call at once, with nothing to wait for', () => {
  const responses = new MeteredResponseService(only(batcherOf(0)), {} as IdempotencyService, {} as FreeAnswers);
  const call = { caller: { mode: 'live' }, lease: null } as MeteredCall;
  expect(responses.charge(call, { status: 200, body: { fine: true }, price: priceOf([0]) })).toBe('{"fine":true}');
});

describe('a caller that has disconnected', () => {
  /** Arguments of the batcher for a response: whether its caller counts as gone, and its time limit. */
  async function told(response: Partial<MeteredResponse>): Promise<[boolean, number | undefined]> {
    const said: [boolean, number | undefined][] = [];
    const batcher = batcherOf(1);
    const { run, request } = callWith({
      charge: (charge: Charge, isGone: () => boolean, giveUpAfterMs?: number) => {
        said.push([isGone(), giveUpAfterMs]);
        return batcher.charge(charge);
      },
    });
    request.raw.socket.destroyed = true;
    await run(async () => ({ status: 200, body: {}, price: priceOf([1]), ...response }));
    return said[0]!;
  }

  it('is charged only if a probe of its call has begun, however long that takes', async () => {
    expect(await told({})).toEqual([true, undefined]);
    expect(await told({ probed: false, payBy: 0 })).toEqual([true, 0]);
    expect(await told({ probed: true, payBy: 0 })).toEqual([false, undefined]);
  });

  it('has the time that is left until its deadline', async () => {
    const [, left] = await told({ payBy: performance.now() + 500 });
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(500);
  });

  it('leaves its Idempotency-Key to its next call', async () => {
    const release = jest.fn();
    const lease = { recordId: 7, lease: Buffer.alloc(16) };
    const idempotency = { begin: async () => ({ kind: 'first', lease }), release } as unknown as IdempotencyService;
    const charge = async (): Promise<ChargeOutcome> => ({ kind: 'withdrawn' });
    const responses = new MeteredResponseService(only({ charge }), idempotency, {} as FreeAnswers);
    const scene = meteredScene({ kind: 'single', funds: funds(1), idempotencyKey: 'k', idempotency, responses });
    await scene.run(async () => ({ status: 200, body: {}, price: priceOf([1]) }));
    expect(release.mock.calls).toEqual([[lease]]);
  });

  it('is waited for at shutdown', async () => {
    const batcher = batcherOf(1);
    const { run, calls } = callWith(batcher);
    let deliver: (response: MeteredResponse) => void = () => undefined;
    void run(() => new Promise((resolve) => (deliver = resolve)));
    await new Promise(setImmediate);
    const stopped = calls.beforeApplicationShutdown();
    deliver({ status: 200, body: {}, price: priceOf([1]), probed: true });
    await stopped;
    expect(batcher.charges).toHaveLength(1);
  });
});

describe('the credits that a call may reserve', () => {
  it('are unlimited in the sandbox and for a free call', async () => {
    const entries: number[] = [];
    const ask = (prices: number[]) => async (hold: CreditHold) => {
      entries.push(await hold.reservePrefix(prices, 10));
      return listOf([]);
    };
    await callWith({ ...batcherOf(0), read: 0, mode: 'test' }).run(ask([1, 1]));
    await callWith({ ...batcherOf(0), read: 0 }).run(ask([0, 0, 0]));
    await callWith({ ...batcherOf(0), read: 2 }).run(ask([1, 0, 1, 0, 1]));
    expect(entries).toEqual([2, 3, 4]);
  });

  it("are reserved anew without waiting for the call's own hold", async () => {
    const { run } = callWith({ ...batcherOf(3), read: 3 });
    await run(async (hold) => {
      expect(await hold.reservePrefix([3], 1000)).toBe(1);
      expect(await hold.reservePrefix([1, 1, 1], 1000)).toBe(3);
      return listOf([1, 1, 1]);
    });
  });
});
