import type { FastifyRequest } from 'fastify';
import { clientAddress } from './client-address.js';

/** The browser that a session begins in. */
export interface Client {
  readonly address: string | null;
  readonly userAgent: string | null;
}

const MAX_USER_AGENT = 255;
const UNPRINTABLE = /[^\x20-\x7e]/g;

export function clientOf(request: FastifyRequest): Client {
  const userAgent = request.headers['user-agent']?.replace(UNPRINTABLE, '').slice(0, MAX_USER_AGENT);
  return { address: clientAddress(request), userAgent: userAgent || null };
}
