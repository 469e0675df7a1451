import type { FastifyRequest } from 'fastify';
import { callerOf } from '../../auth/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import type { FundsReader, FundsReading } from './funds-reader.js';

/** What was found out about the account of a request. */
export type KnownFunds =
  | { readonly kind: 'known'; readonly reading: FundsReading }
  | { readonly kind: 'unknown'; readonly why: unknown };

declare module '../../platform/http/request-context.js' {
  interface RequestContext {
    /** Who reads the balance of its account, once the caller is known. */
    fundsReader?: Pick<FundsReader, 'read'>;
    /** Read when it is first asked for; never rejects. */
    funds?: Promise<KnownFunds>;
    /** The same, as soon as it is there. */
    fundsFound?: KnownFunds;
  }
}

/**
 * What the caller's account has, read once for each request, when it is first asked for. Never rejects; undefined when the
 * request carried no key in force.
 */
export function readFunds(request: FastifyRequest): Promise<KnownFunds> | undefined {
  const { context } = request;
  if (context.funds === undefined && context.fundsReader !== undefined) {
    const { accountId } = callerOf(request)!;
    context.funds = context.fundsReader.read(accountId).then(
      (reading): KnownFunds => (context.fundsFound = { kind: 'known', reading }),
      (why: unknown): KnownFunds => (context.fundsFound = { kind: 'unknown', why }),
    );
  }
  return context.funds;
}

/** What the caller's account has, or had a moment ago. @throws AppError `service_unavailable` when it is not known */
export async function fundsOf(request: FastifyRequest): Promise<FundsReading> {
  const known = await readFunds(request);
  if (known?.kind === 'known') return known.reading;
  throw new AppError('service_unavailable', 'The balance is not known at the moment; retry.', {
    retryAfterSeconds: 2,
    cause: known?.why ?? new Error('the balance was not read'),
  });
}
