import type { CreditsStatus } from './credits.response.js';

export const CREDITS_EXAMPLE: CreditsStatus = {
  plan: 'growth',
  sandbox: false,
  credits: { total: 1500, purchased: 1000, gifted: 500 },
  rate_limit: { limit: 1200, remaining: 1199, reset: 1795831209 },
  free_verifies: { limit: 10_000, remaining: 9975, resets_at: '2026-12-01T00:00:00.000Z' },
  guard: { limit: 250_000, remaining: 248_310, resets_at: '2026-12-01T00:00:00.000Z' },
};
