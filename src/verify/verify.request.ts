import { z } from 'zod';
import { MODES } from '../engine/verdict/result.js';

/** Longest `email` accepted, in UTF-16 units (decisions 1.3): whether it is an address is the verdict's business. */
const MAX_EMAIL_LENGTH = 1024;

/** Body of `POST /v1/verify/single`. Unknown fields are ignored; null equals leaving a field out (decisions 1.3). */
export const verifySingleRequest = z.object({
  email: z.string().max(MAX_EMAIL_LENGTH),
  mode: z
    .enum(MODES)
    .nullish()
    .transform((mode) => mode ?? 'standard'),
});
export type VerifySingleRequest = z.output<typeof verifySingleRequest>;
