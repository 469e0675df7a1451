import type { FastifyRequest } from 'fastify';
import { AppError } from '../platform/errors/app-error.js';
import type { FundsReading } from './funds-reader.js';

/** What was found out about the account of a request. */
export type KnownFunds =
  | { readonly kind: 'known'; readonly reading: FundsReading }
  | { readonly kind: 'unknown'; readonly why: unknown };

declare module '../platform/http/request-context.js' {
  interface RequestContext {
    /** Read from the moment the caller is known; never rejects. Absent when the request carried no key in force. */
    funds?: Promise<KnownFunds>;
  }
}

/** What the caller's account had when the request came. @throws AppError `service_unavailable` when it is not known */
export async function fundsOf(request: FastifyRequest): Promise<FundsReading> {
  const known = await request.context.funds;
  if (known?.kind === 'known') return known.reading;
  throw new AppError('service_unavailable', 'The balance is not known at the moment; retry.', {
    retryAfterSeconds: 2,
    cause: known?.why ?? new Error('the balance was not read'),
  });
}
