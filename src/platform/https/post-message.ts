import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ask, type Authority } from './ask.js';
import type { PageRequest } from './read-page.js';

/** What to send, and the limits. */
export interface PostRequest extends Pick<PageRequest, 'host' | 'port' | 'path' | 'plain' | 'addresses' | 'deadline'> {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
  /** Octets of the answer that are read; the connection is cut after them. */
  readonly maxOctets: number;
}

/**
 * The outcome of a request.
 * - `answer`: the host was authenticated (unless `plain`) and answered, with any status. `body`: as much of it as came within
 * the limits.
 * - `refused`: we do not accept the certificate, or none of the addresses may be connected to.
 * - `failed`: there was no answer. `ours`: the cause is on our side.
 */
export type PostOutcome =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter: string | null; readonly body: string }
  | { readonly kind: 'refused'; readonly why: 'certificate' | 'address' }
  | { readonly kind: 'failed'; readonly why: string; readonly ours: boolean };

interface PostQuestion extends Authority, Pick<PostRequest, 'path' | 'headers' | 'body' | 'maxOctets'> {}

/** Sends one message, by `ask`, and reads the beginning of the answer. */
export function postMessage(socket: Socket, question: PostQuestion): Promise<PostOutcome> {
  const { headers, body, maxOctets } = question;
  const ofBody = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  return ask<PostOutcome>(socket, { ...question, method: 'POST', headers: { ...headers, ...ofBody } }, (answer, end) =>
    readBeginning(answer, maxOctets, end),
  );
}

/** The status says what became of the message: a body that breaks off, or never ends, changes nothing. */
function readBeginning(answer: IncomingMessage, maxOctets: number, end: (outcome: PostOutcome) => void): void {
  const parts: Buffer[] = [];
  let octets = 0;
  const finish = (): void => {
    const body = Buffer.concat(parts).subarray(0, maxOctets).toString('utf8');
    const { statusCode: status = 0, headers } = answer;
    end({ kind: 'answer', status, retryAfter: headers['retry-after'] ?? null, body });
  };
  answer.on('data', (part: Buffer) => {
    parts.push(part);
    octets += part.length;
    if (octets >= maxOctets) finish();
  });
  answer.on('end', finish);
  answer.on('error', finish);
  answer.on('close', finish);
}
