import { RESULTS, type Result } from '../engine/verdict/result.js';
import { zeros } from '../platform/collections/zeros.js';

/** Maximum entries of one job (decisions 1.5). */
export const MAX_ENTRIES = 10_000;

/** Modes of a job. There is no quick mode: it has nothing to wait for (decisions 4.2). */
export const JOB_MODES = ['standard', 'enhanced'] as const;
export type JobMode = (typeof JOB_MODES)[number];

export const JOB_STATUSES = ['processing', 'completed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Entries of a completed job by verdict, and those that have an error instead of one. */
export type VerdictCounts = Readonly<Record<Result | 'error', number>>;

/** Counts to begin with. */
export function noVerdicts(): Record<keyof VerdictCounts, number> {
  return zeros([...RESULTS, 'error']);
}

/** A job without its entries. */
export interface Job {
  readonly id: string;
  readonly sandbox: boolean;
  readonly mode: JobMode;
  /** What its owner calls it. */
  readonly name: string | null;
  readonly status: JobStatus;
  readonly total: number;
  /** Entries whose outcome is final. */
  readonly done: number;
  readonly createdAt: Date;
  /** Seven days after the submit. */
  readonly expiresAt: Date;
  /** Null while it is under way, and for a job that a release without counts completed. */
  readonly counts: VerdictCounts | null;
}
