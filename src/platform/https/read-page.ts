import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ask, failure, type Authority } from './ask.js';
import type { Deadline } from '../../engine/deadline.js';

/** What to fetch, and the limits. */
export interface PageRequest {
  /** The name that the certificate must have; lowercase A-labels. */
  readonly host: string;
  /** Starts with `/`. */
  readonly path: string;
  /** Overrides the usual port. */
  readonly port?: number;
  /** Without TLS, so the server is not authenticated. Only for hosts that an operator configured. */
  readonly plain?: boolean;
  /** Accepted media type; plain text by default. */
  readonly accept?: string;
  /** The known `etag`; the answer is 304 if the page has not changed. */
  readonly ifNoneMatch?: string | null;
  /** Addresses of the host, in the order to try. Skips those that may not be connected to. */
  readonly addresses: readonly string[];
  /** Maximum size of the body, octets. */
  readonly maxOctets: number;
  /** Ends the request. */
  readonly deadline: Deadline;
}

/**
 * The outcome of a request.
 * - `page`: the host was authenticated (unless `plain`) and answered. Only the body of a 200 is read, else it is null;
 * redirects are ordinary answers.
 * - `refused`: we do not accept it: `certificate`: not valid for the host; `address`: none of its addresses may be
 * connected to; `size`: the page exceeds the limit.
 * - `failed`: no conclusion. `ours`: the cause is on our side.
 */
export type PageOutcome =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly contentType: string | null;
      readonly etag: string | null;
      readonly body: string | null;
    }
  | { readonly kind: 'refused'; readonly why: 'certificate' | 'address' | 'size' }
  | { readonly kind: 'failed'; readonly why: string; readonly ours: boolean };

interface PageQuestion extends Authority, Pick<PageRequest, 'path' | 'maxOctets' | 'accept' | 'ifNoneMatch'> {}

/** An entity tag (RFC 9110 8.8.3); a longer one is not stored. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7E]{0,250}"$/;

/** Asks for one page, by `ask`, and reads it within the limits. */
export function readPage(socket: Socket, question: PageQuestion): Promise<PageOutcome> {
  const { maxOctets, accept = 'text/plain', ifNoneMatch = null } = question;
  const headers = { accept, ...(ifNoneMatch !== null && { 'if-none-match': ifNoneMatch }) };
  return ask<PageOutcome>(socket, { ...question, method: 'GET', headers }, (answer, end) =>
    readAnswer(answer, maxOctets, end),
  );
}

function readAnswer(answer: IncomingMessage, maxOctets: number, end: (outcome: PageOutcome) => void): void {
  const { statusCode: status = 0, headers } = answer;
  const contentType = headers['content-type'] ?? null;
  const etag = ENTITY_TAG.test(headers.etag ?? '') ? (headers.etag ?? null) : null;
  const parts: Buffer[] = [];
  let octets = 0;
  const breakOff = (): void => end(failure('the answer broke off'));
  answer.on('error', breakOff);
  answer.on('close', breakOff);
  if (status !== 200) return end({ kind: 'page', status, contentType, etag, body: null });
  if (Number(headers['content-length'] ?? 0) > maxOctets) return end({ kind: 'refused', why: 'size' });
  answer.on('data', (part: Buffer) => {
    octets += part.length;
    if (octets > maxOctets) end({ kind: 'refused', why: 'size' });
    else parts.push(part);
  });
  answer.on('end', () => {
    const body = (): string => Buffer.concat(parts).toString('utf8');
    if (answer.complete) end({ kind: 'page', status, contentType, etag, body: body() });
    else breakOff();
  });
}
