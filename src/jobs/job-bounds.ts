import type { Plan } from '../auth/caller.js';
import { AppError } from '../platform/errors/app-error.js';
import type { NewEntry } from './new-entries.js';

/** What an account has of jobs, those of live or those of sandbox keys. */
export interface JobsHeld {
  /** Jobs that are stored, completed ones included, without those that are expired or deleted. */
  readonly jobs: number;
  /** What their entries count as. */
  readonly addresses: number;
  /** Those of them that are not completed. */
  readonly processing: number;
  /** The same of jobs that are expired or deleted and whose rows are still there. */
  readonly leftJobs: number;
  readonly leftAddresses: number;
}

type JobBounds = Pick<Plan, 'jobsKept' | 'addressesKept' | 'jobsProcessing'>;

/** Octets of the longest address: 64 of a local part, 255 of a domain, and the sign between them. */
const ADDRESS_OCTETS = 320;
/** What the stored text of an entry that is no address has around it. */
const ERROR_OCTETS = JSON.stringify({ email: '', error: 'invalid_email' }).length;
/**
 * A job that is deleted gives its share back at once, and its rows go a while later. As much again as the plan keeps may wait
 * for that, or this if it is more.
 */
const LEAST_LEFT_JOBS = 20;
const LEAST_LEFT_ADDRESSES = 50_000;
/** Expired rows are deleted every minute. */
const REMOVAL_SECONDS = 60;

/** What entries count as against the plan: one each, and one more for every further 320 octets of a longer one. */
export function addressesCounted(entries: readonly NewEntry[]): number {
  return entries.reduce((sum, entry) => sum + Math.max(1, Math.ceil(octetsOf(entry) / ADDRESS_OCTETS)), 0);
}

function octetsOf({ sent, result }: NewEntry): number {
  if (sent !== null) return Buffer.byteLength(sent);
  return result === null ? 0 : Buffer.byteLength(result) - ERROR_OCTETS;
}

/**
 * Lets a new job in, if the plan has room for it.
 * @param addresses what its entries count as
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
