import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { FundsReader, FundsReading } from './funds-reader.js';

/** Funds known about a request's account. */
export type KnownFunds =
  | { readonly kind: 'known'; readonly reading: FundsReading }
  | { readonly kind: 'unknown'; readonly why: unknown };

declare module '../../platform/http/request-context.js' {
  interface RequestContext {
    /** Reads the account's balance; set once the caller is known. */
    fundsReader?: Pick<FundsReader, 'read'>;
    /** Read on first use; never rejects. */
    funds?: Promise<KnownFunds>;
    /** The result, once read. */
    fundsFound?: KnownFunds;
  }
}

/** The caller's funds, read once per request on first use. Never rejects; undefined if the request has no valid key. */
export function readFunds(request: FastifyRequest): Promise<KnownFunds> | undefined {
  const { context } = request;
  if (context.funds === undefined && context.fundsReader !== undefined) {
    const { accountId } = callerOf(request)!;
    context.funds = context.fundsReader.read(accountId).then(
      (reading): KnownFunds =>
        (context.fundsFound =
          reading === undefined
            ? { kind: 'unknown', why: new Error('the balance was not read') }
            : { kind: 'known', reading }),
      (why: unknown): KnownFunds => (context.fundsFound = { kind: 'unknown', why }),
    );
  }
  return context.funds;
}

/** The caller's funds, now or a moment ago. @throws AppError `service_unavailable` if unknown */
export async function fundsOf(request: FastifyRequest): Promise<FundsReading> {
  const known = await readFunds(request);
  if (known?.kind === 'known') return known.reading;
  throw new AppError('service_unavailable', 'The balance is not known at the moment; retry.', {
    retryAfterSeconds: 2,
    cause: known?.why ?? new Error('the balance was not read'),
  });
}
