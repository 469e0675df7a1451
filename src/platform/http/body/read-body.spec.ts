import type { FastifyRequest } from 'fastify';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { BodiesInFlight } from './bodies-in-flight.js';
import { readJsonBody } from './read-body.js';

const LIMIT = 100_000;
const LARGE = JSON.stringify({ text: 'x'.repeat(50_000) });

/** A request whose body arrives when a test says so. */
function arrive(bodies: BodiesInFlight, headers: Record<string, string> = {}) {
  const payload = new PassThrough();
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const request = {
    headers,
    routeOptions: { bodyLimit: LIMIT, config: { bodyFields: ['text'] } },
    context: { accountId: 'a', response },
  } as unknown as FastifyRequest;
  const done = jest.fn<void, [Error | null, unknown?]>();
  readJsonBody(request, payload, bodies, done);
  return { payload, response, done };
}

describe('a body', () => {
  it.each([
    ['ends before its time', (payload: PassThrough) => payload.destroy()],
    ['fails', (payload: PassThrough) => payload.destroy(new Error('reset'))],
  ])('that %s is refused, once, and held no longer', async (_, cut) => {
    const bodies = new BodiesInFlight();
    const { payload, done } = arrive(bodies);
    payload.write(LARGE.slice(0, 40_000));
    await new Promise(setImmediate);
    expect(bodies.octets).toBeGreaterThan(40_000);
    cut(payload);
    await new Promise((resolve) => payload.once('close', resolve));
    expect(done.mock.calls).toEqual([[expect.objectContaining({ code: 'invalid_request' }), undefined]]);
    expect(bodies.octets).toBe(0);
  });

  it('that has arrived gives way to no other, and is held until its call is answered', async () => {
    const bodies = new BodiesInFlight({ total: LIMIT, perAccount: LIMIT }, 0);
    const { payload, response, done } = arrive(bodies);
    payload.end(LARGE);
    await once(payload, 'end');
    expect(done.mock.calls).toEqual([[null, { text: 'x'.repeat(50_000) }]]);
    const other = bodies.begin('b', () => undefined);
    expect(() => other.grow(60_000, 0)).toThrow('Too many large bodies');
    response.emit('close');
    other.grow(60_000, 0);
    expect(bodies.octets).toBe(60_000);
  });

  it.each([
    [LIMIT, null],
    [LIMIT + 1, 'payload_too_large'],
  ])('of %d octets is answered with %p, announced or not', async (octets, code) => {
    const body = JSON.stringify({ text: 'x'.repeat(octets - 11) });
    const announced: Record<string, string> = { 'content-length': String(octets) };
    for (const headers of [{}, announced]) {
      const { payload, done } = arrive(new BodiesInFlight(), headers);
      if (done.mock.calls.length === 0) {
        const answered = new Promise<void>((resolve) => done.mockImplementation(() => resolve()));
        payload.end(body);
        await answered;
      }
      expect(done.mock.calls.map(([error]) => error && (error as Error & { code: string }).code)).toEqual([code]);
    }
  });
});
