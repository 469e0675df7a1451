import { z } from 'zod';
import { MODES } from '../engine/verdict/result.js';

/** Longest `email` accepted, in UTF-16 units (decisions 1.3): whether it is an address is the verdict's business. */
export const MAX_EMAIL_LENGTH = 1024;
/** Addresses in one batch call (decisions 1.5). */
const MAX_BATCH = 100;
/** A year: no result lives longer. */
const MAX_AGE_SECONDS = 31_536_000;

const mode = z
  .enum(MODES)
  .nullish()
  .transform((given) => given ?? 'standard');
const maxAge = z
  .int()
  .min(0)
  .max(MAX_AGE_SECONDS)
  .nullish()
  .transform((given) => given ?? null);

/** Body of `POST /v1/verify/single`. Unknown fields are ignored; null equals leaving a field out (decisions 1.3). */
export const verifySingleRequest = z.object({
  email: z.string().max(MAX_EMAIL_LENGTH),
  mode,
  async: z
    .boolean()
    .nullish()
    .transform((given) => given ?? false),
  max_age: maxAge,
});

/** Body of `POST /v1/verify/batch`. An entry that is no address is an error of that entry alone (decisions 1.5). */
export const verifyBatchRequest = z.object({
  emails: z.array(z.unknown()).min(1).max(MAX_BATCH),
  mode,
  max_age: maxAge,
});
