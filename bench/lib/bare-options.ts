import type { BenchAccount } from './bench-accounts.js';

/** What a process of `bench/processes` that stands for the API is told. */
export interface BareOptions {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  readonly addressSecret: string;
  readonly accounts: readonly BenchAccount[];
  /** JSON: what it answers. */
  readonly answer: string;
}

export function bareOptions(): BareOptions {
  return JSON.parse(process.argv[2] ?? '') as BareOptions;
}
