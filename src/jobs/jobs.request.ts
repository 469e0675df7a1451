import { z } from 'zod';
import { isId } from '../platform/ids/uuid.js';
import { JOB_MODES } from './job.js';

/** Entries of one job (decisions 1.5). */
const MAX_ENTRIES = 10_000;
/** Octets of a submit's body (decisions 1.5). */
export const SUBMIT_BODY_LIMIT = 8 * 1024 * 1024;
/** Values and names in it: ten for each entry. */
export const SUBMIT_BODY_VALUES = 10 * MAX_ENTRIES;
const MAX_LIST = 100;
const DEFAULT_LIST = 20;

/** Body of `POST /v1/verify/jobs`. An entry that is no address is an error of that entry alone (decisions 1.5). */
export const submitJobRequest = z.object({
  emails: z.array(z.unknown()).min(1).max(MAX_ENTRIES),
  mode: z
    .enum(JOB_MODES)
    .nullish()
    .transform((mode) => mode ?? 'standard'),
});
export type SubmitJobRequest = z.output<typeof submitJobRequest>;

/** A number in a query; what is none is left to the rule to refuse. */
const inQuery = (rule: z.ZodType<number>) =>
  z.preprocess(
    (given) => (typeof given === 'string' && /^-?\d{1,15}(\.\d{1,15})?$/.test(given) ? +given : given),
    rule,
  );

/** Query of `GET /v1/verify/jobs/{id}`: some of its results. */
export const readJobRequest = z.object({
  offset: inQuery(z.int().min(0).max(MAX_ENTRIES)).default(0),
  limit: inQuery(z.int().min(1).max(MAX_ENTRIES)).default(MAX_ENTRIES),
});
export type ReadJobRequest = z.output<typeof readJobRequest>;

/** Query of `GET /v1/verify/jobs`. */
export const listJobsRequest = z.object({
  /** The id of the last job of the page before. */
  cursor: z.string().toLowerCase().refine(isId, { error: 'it is what next_cursor of another page was' }).optional(),
  limit: inQuery(z.int().min(1).max(MAX_LIST)).default(DEFAULT_LIST),
});
export type ListJobsRequest = z.output<typeof listJobsRequest>;
