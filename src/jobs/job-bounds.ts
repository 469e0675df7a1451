import type { Plan } from '../auth/caller.js';
import { AppError } from '../platform/errors/app-error.js';
import type { NewEntry } from './new-entries.js';

/** Jobs of an account, by live or sandbox keys, as they count against the plan. */
export interface JobsHeld {
  /** Stored jobs, including completed ones, without expired or deleted ones. */
  readonly jobs: number;
  /** Addresses that their entries count as. */
  readonly addresses: number;
  /** Jobs that are not completed. */
  readonly processing: number;
  /** Expired or deleted jobs whose rows still exist. */
  readonly leftJobs: number;
  readonly leftAddresses: number;
}

type JobBounds = Pick<Plan, 'jobsKept' | 'addressesKept' | 'jobsProcessing'>;

/** Octets of the longest address: 64 for the local part, 255 for the domain, 1 for the `@`. */
const ADDRESS_OCTETS = 320;
/** Octets around an invalid address in its stored result. */
const ERROR_OCTETS = JSON.stringify({ email: '', error: 'invalid_email' }).length;
/**
 * A deleted job frees its quota at once, but its rows are deleted later. The backlog may be as large as the quota, or
 * this if it is more.
 */
const LEAST_LEFT_JOBS = 20;
const LEAST_LEFT_ADDRESSES = 50_000;
/** Expired rows are deleted every minute. */
const REMOVAL_SECONDS = 60;

/** Counts entries against the plan: one per entry, plus one for each further 320 octets. */
export function addressesCounted(entries: readonly NewEntry[]): number {
  return entries.reduce((sum, entry) => sum + Math.max(1, Math.ceil(octetsOf(entry) / ADDRESS_OCTETS)), 0);
}

function octetsOf({ sent, result }: NewEntry): number {
  if (sent !== null) return Buffer.byteLength(sent);
  return result === null ? 0 : Buffer.byteLength(result) - ERROR_OCTETS;
}

/**
 * Checks that the plan has room for a new job.
 * @param addresses that its entries count as
 * @throws AppError `quota_exceeded`
 */
export function requireRoom(held: JobsHeld, { jobsKept, addressesKept, jobsProcessing }: JobBounds, addresses: number) {
  if (jobsProcessing !== null && held.processing >= jobsProcessing) {
    throw exceeded(
      `The plan has at most ${counted(jobsProcessing, 'job')} processing at once; wait until one is completed.`,
    );
  }
  if (jobsKept !== null && held.jobs >= jobsKept) {
    throw exceeded(
      `The plan keeps at most ${counted(jobsKept, 'job')}; delete completed ones, or wait until they expire.`,
    );
  }
  if (addressesKept !== null && held.addresses + addresses > addressesKept) {
    throw exceeded(
      `The plan keeps at most ${counted(addressesKept, 'address', 'addresses')} in jobs; ${held.addresses} are kept and ` +
        `this job counts as ${addresses}. Delete completed jobs, or wait until they expire.`,
    );
  }
  const jobsFull = jobsKept !== null && held.leftJobs >= Math.max(jobsKept, LEAST_LEFT_JOBS);
  const addressesFull = addressesKept !== null && held.leftAddresses >= Math.max(addressesKept, LEAST_LEFT_ADDRESSES);
  if (jobsFull || addressesFull) {
    throw exceeded('Too many jobs that were deleted are still being removed; retry later.', REMOVAL_SECONDS);
  }
}

function counted(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`;
}

function exceeded(message: string, retryAfterSeconds?: number): AppError {
  return new AppError('quota_exceeded', message, retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
}
