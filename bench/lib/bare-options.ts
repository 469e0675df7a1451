import type { BenchAccount } from './bench-accounts.js';

/** Options of a process in `bench/processes` that stands in for the API. */
export interface BareOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly addressSecret: string;
  readonly accounts: readonly BenchAccount[];
  /** JSON: the answer. */
  readonly answer: string;
}

export function bareOptions(): BareOptions {
  return JSON.parse(process.argv[2] ?? '') as BareOptions;
}
