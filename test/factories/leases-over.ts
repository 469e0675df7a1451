import type { Redis } from 'ioredis';
import type { SmtpStage } from '../../src/engine/smtp/reply.js';
import { rankOf } from '../../src/verify/single-flight/join-outcome.js';
import {
  Leases,
  type AcquireAnswer,
  type AcquireRequest,
  type CheckCompletion,
  type LeaseState,
} from '../../src/verify/single-flight/leases.js';

/** What Redis says to the scripts of leases. */
export interface LeaseStore {
  acquire(request: AcquireRequest): Promise<AcquireAnswer>;
  renew(hash: string): Promise<unknown>;
  stageOf(hash: string): Promise<SmtpStage | null>;
  complete(completion: CheckCompletion): Promise<LeaseState>;
}

/** Leases over a Redis that a test speaks for. */
export function leasesOver(store: LeaseStore, retryMs?: number): Leases {
  const hashIn = (key: string): string => /\{(.*)\}/.exec(key)![1]!;
  const redis = {
    defineCommand: () => undefined,
    get: (key: string) => store.stageOf(hashIn(key)),
    mailvetRenewLease: (lease: string) => store.renew(hashIn(lease)),
    mailvetAcquireLease: async (
      ...[lease, , token, , at, until]: [string, string, string, number, ...('' | number)[]]
    ) => {
      const last = at === '' ? null : { at: Number(at), until: Number(until) };
      const said = await store.acquire({ hash: hashIn(lease), token, last });
      return [Number(said.taken), said.at, said.until, said.completed === null ? 0 : rankOf(said.completed)];
    },
    mailvetCompleteLease: async (...[lease, , , token, rank]: [string, string, string, string, number]) => {
      const depth = rank === rankOf('enhanced') ? 'enhanced' : 'standard';
      return (await store.complete({ hash: hashIn(lease), token, depth, stored: rank > 0 })).at;
    },
  };
  return new Leases(redis as unknown as Redis, {
    leaseMs: 1000,
    channel: 'flights',
    ...(retryMs !== undefined && { retryMs }),
  });
}
