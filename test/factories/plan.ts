import type { Plan } from '../../src/auth/caller.js';

/** The plan `free`, as the migrations seed it, with what a test needs to be otherwise. */
export function plan(different: Partial<Plan> = {}): Plan {
  return {
    name: 'free',
    requestsPerMinute: 60,
    freeVerifiesPerMonth: 100,
    guardDecisionsPerMonth: 1000,
    jobsKept: 20,
    addressesKept: 50_000,
    jobsProcessing: 2,
    crawlsPerDay: 500,
    ...different,
  };
}
