import { meteredScene, type MeteredScene } from '../../../test/factories/metering.js';
import type { Type } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { RequestPipe } from '../../platform/http/request.pipe.js';
import { NO_FUNDS } from '../funds.js';
import type { IdempotencyService, Turn } from '../idempotency/idempotency.service.js';
import { priceOf } from '../price.js';
import type { MeteredCall } from './metered-call.js';
import type { MeteredResponseService } from './metered-response.service.js';
import type { MeteredResponse } from './metered-response.js';

const LEASE = { recordId: 7, lease: Buffer.alloc(16) };
const RESPONSE: MeteredResponse = { status: 200, body: { fine: true }, price: priceOf([3]) };

/** A call and its events, in order. */
function callWith(over: Partial<MeteredScene> & { readonly turn?: Turn; readonly refusal?: AppError } = {}) {
  const { turn = { kind: 'first', lease: LEASE }, refusal, ...rest } = over;
  const happened: string[] = [];
  const idempotency = {
    begin: async ({ key }: { key: string }) => {
      happened.push(`begin ${key}`);
      return turn;
    },
    release: () => void happened.push('release key'),
  } as unknown as IdempotencyService;
  const responses = {
    charge: async (call: MeteredCall, { body }: MeteredResponse) => {
      happened.push(`charge ${call.kind}`);
      if (refusal !== undefined) throw refusal;
      Object.assign(call, { funds: { ...NO_FUNDS, purchased: 97 }, creditsUsed: 3, headers: { 'Retry-After': '2' } });
      return JSON.stringify(body);
    },
  } as unknown as MeteredResponseService;
  const scene = meteredScene({ kind: 'single', funds: NO_FUNDS, idempotency, responses, ...rest });
  const run = (): Promise<string> =>
    scene.run(async () => {
      happened.push('handler');
      return RESPONSE;
    });
  return { run, happened, headers: scene.headers };
}

const codeOf = (failing: Promise<unknown>): Promise<string> =>
  failing.then(
    () => 'none',
    (error: unknown) => (error as AppError).code,
  );

it("charges for the handler's response, then sets the headers", async () => {
  const { run, happened, headers } = callWith();
  expect(await run()).toBe('{"fine":true}');
  expect(happened).toEqual(['handler', 'charge single']);
  expect(headers()).toEqual({
    'X-Credits-Remaining': '97',
    'X-Verify-Free-Remaining': '0',
    'X-Credits-Used': '3',
    'Retry-After': '2',
  });
});

it('begins the idempotency key before the handler, and keeps it if the call is paid', async () => {
  const { run, happened } = callWith({ idempotencyKey: 'k' });
  await run();
  expect(happened).toEqual(['begin k', 'handler', 'charge single']);
});

it('answers a repeat byte for byte, without calling the handler or charging', async () => {
  const answer = { status: 200, headers: { 'Retry-After': '2' }, body: Buffer.from('{"kept": "ä"}') };
  const { run, happened, headers } = callWith({ idempotencyKey: 'k', turn: { kind: 'repeat', answer } });
  expect(await run()).toBe('{"kept": "ä"}');
  expect(happened).toEqual(['begin k']);
  expect(headers()).toEqual({ 'Retry-After': '2', 'Idempotency-Replayed': 'true' });
});

it("releases the key of a refused call, and throws the charge's error", async () => {
  const { run, happened } = callWith({ idempotencyKey: 'k', refusal: new AppError('insufficient_credits', 'no') });
  expect(await codeOf(run())).toBe('insufficient_credits');
  expect(happened).toEqual(['begin k', 'handler', 'charge single', 'release key']);
});

it('does not begin the key of a call with an invalid body', async () => {
  const { run, happened } = callWith({ idempotencyKey: 'k', body: { fine: false } });
  expect(await codeOf(run())).toBe('validation_failed');
  expect(happened).toEqual([]);
});

it('validates the body once, and begins the key with what was sent', async () => {
  const [body, begun] = [{ fine: true }, [] as unknown[]];
  const begin = async (_: unknown, sent: unknown): Promise<Turn> => {
    begun.push(sent);
    return { kind: 'first', lease: LEASE };
  };
  const responses = { charge: async () => '{}' } as unknown as MeteredResponseService;
  const idempotency = { begin } as unknown as IdempotencyService;
  const scene = meteredScene({ kind: 'single', funds: NO_FUNDS, idempotency, responses, idempotencyKey: 'k', body });
  await scene.run(async () => RESPONSE);
  expect(begun[0]).toBe(body);
  const handed = scene.request.body as object;
  expect(handed).not.toBe(body);
  expect(new RequestPipe().transform(handed, { type: 'body', metatype: handed.constructor as Type })).toBe(handed);
});

it('refuses a key that breaks the rule', async () => {
  const { run, happened } = callWith({ idempotencyKey: 'ä' });
  expect(await codeOf(run())).toBe('validation_failed');
  expect(happened).toEqual([]);
});
