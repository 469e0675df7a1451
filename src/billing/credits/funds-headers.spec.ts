import type { FastifyRequest } from 'fastify';
import { plan } from '../../../test/factories/plan.js';
import { FundsHeaders, showFunds } from './funds-headers.js';

const FUNDS = { purchased: 5, gifted: 2, month: 202611, freeVerifiesUsed: 40 };

function scene(
  billing: 'verify' | 'credits' | undefined,
  mode: 'live' | 'test' = 'live',
  freeVerifiesPerMonth: number | null = 100,
) {
  const responseHeaders = new Map<string, string>();
  const caller = { accountId: 'a', keyId: 'k', mode, plan: plan({ freeVerifiesPerMonth }) };
  const request = {
    routeOptions: { config: { billing } },
    context: { responseHeaders, caller },
  } as unknown as FastifyRequest;
  const read = jest.fn(async () => ({ funds: FUNDS, asOf: 0 }));
  return { request, read, headers: new FundsHeaders({ read }), shown: () => Object.fromEntries(responseHeaders) };
}

it.each<['verify' | 'credits' | undefined, number | null, Record<string, string>]>([
  ['verify', 100, { 'X-Credits-Remaining': '7', 'X-Verify-Free-Remaining': '60' }],
  ['credits', 10, { 'X-Credits-Remaining': '7', 'X-Verify-Free-Remaining': '0' }],
  // Unlimited: no header.
  ['verify', null, { 'X-Credits-Remaining': '7' }],
  [undefined, 100, { 'X-Credits-Remaining': '7' }],
])('a route of billing %s, with %s free verifies a month, shows %j', (billing, perMonth, expected) => {
  const { request, shown } = scene(billing, 'live', perMonth);
  showFunds(request, FUNDS);
  expect(shown()).toEqual(expected);
});

it.each<['verify' | 'credits' | undefined, 'live' | 'test', number]>([
  ['verify', 'live', 0],
  ['verify', 'test', 1],
  ['credits', 'live', 1],
  [undefined, 'live', 1],
])('a call of billing %s with a %s key reads the balance at once: %i', (billing, mode, reads) => {
  const { request, read, headers, shown } = scene(billing, mode);
  headers.begin(request);
  expect(read).toHaveBeenCalledTimes(reads);
  expect(shown()['X-Credits-Used']).toBe(billing === 'verify' ? '0' : undefined);
});

it('what a charge has said stays, though the balance was read before', async () => {
  const { request, headers, shown } = scene('credits');
  headers.begin(request);
  const settling = headers.settle(request);
  showFunds(request, { ...FUNDS, purchased: 1 });
  await settling;
  expect(shown()['X-Credits-Remaining']).toBe('3');
});

it('an answer that nothing was charged for has the balance that was read', async () => {
  const { request, headers, shown } = scene('verify');
  headers.begin(request);
  await headers.settle(request);
  expect(shown()).toMatchObject({ 'X-Credits-Used': '0', 'X-Credits-Remaining': '7' });
});
