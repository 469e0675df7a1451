import type { IncomingMessage } from 'node:http';
import { newId } from '../ids/uuid.js';

const SANE = /^[A-Za-z0-9_.:-]{1,128}$/;

/** True when a foreign value has the form of our request ids. */
export function isRequestId(given: unknown): given is string {
  return typeof given === 'string' && SANE.test(given);
}

/** The caller's `X-Request-Id` if it is valid, else a new UUIDv7 (decisions 1.4). */
export function requestIdFor({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return isRequestId(given) ? given : newId();
}
