import { plan } from '../../../test/factories/plan.js';
import type { Caller } from '../../auth/caller.js';
import { toCreditsStatus } from './credits-status.js';

const caller: Caller = {
  accountId: 'a',
  keyId: 'k',
  mode: 'live',
  plan: plan(),
};
const funds = { purchased: 40, gifted: 2, month: 202612, freeVerifiesUsed: 30 };

it('shows the remaining credits, in the order of the contract', () => {
  const status = toCreditsStatus(caller, funds, 250, { limit: 60, remaining: 59, resetAt: 1_800_000_000 });
  const expected = {
    plan: 'free',
    sandbox: false,
    credits: { total: 42, purchased: 40, gifted: 2 },
    rate_limit: { limit: 60, remaining: 59, reset: 1_800_000_000 },
    free_verifies: { limit: 100, remaining: 70, resets_at: '2027-01-01T00:00:00.000Z' },
    guard: { limit: 1000, remaining: 750, resets_at: '2027-01-01T00:00:00.000Z' },
  };
  expect(JSON.stringify(status)).toBe(JSON.stringify(expected));
});

it('omits an unknown rate limit, and marks a test key', () => {
  const status = toCreditsStatus({ ...caller, mode: 'test' }, funds, 0, undefined);
  expect(status).toMatchObject({ sandbox: true, rate_limit: { limit: 60, remaining: null, reset: null } });
});

it('shows null where the plan is unlimited', () => {
  const unlimited = plan({ freeVerifiesPerMonth: null, guardDecisionsPerMonth: null });
  const { free_verifies, guard } = toCreditsStatus({ ...caller, plan: unlimited }, funds, 1500, undefined);
  expect(free_verifies).toEqual({ limit: null, remaining: null, resets_at: '2027-01-01T00:00:00.000Z' });
  expect(guard).toEqual({ limit: null, remaining: null, resets_at: '2027-01-01T00:00:00.000Z' });
});

it('shows zero remaining guard decisions, never fewer, after a plan was made smaller', () => {
  expect(toCreditsStatus(caller, funds, 1500, undefined).guard).toMatchObject({ limit: 1000, remaining: 0 });
});
