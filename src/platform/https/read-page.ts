import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hostHeader, MAX_HEADER_OCTETS, type Authority } from './host-header.js';
import type { PageOutcome, PageRequest } from './page.js';

export interface PageQuestion extends Authority, Pick<PageRequest, 'path' | 'maxOctets' | 'accept' | 'ifNoneMatch'> {}

/** An entity tag (RFC 9110 8.8.3); a longer one is not stored. */
const ENTITY_TAG = /^(?:W\/)?"[\x21\x23-\x7E]{0,250}"$/;

/**
 * Sends one request on an open connection and reads the response within the limits. Ends with the connection, whose
 * owner sets the deadline. Never rejects.
 */
export function readPage(socket: Socket, question: PageQuestion): Promise<PageOutcome> {
  const { path, maxOctets, accept = 'text/plain', ifNoneMatch = null } = question;
  return new Promise((resolve) => {
    const asked: ClientRequest = request({
      createConnection: () => socket,
      method: 'GET',
      path,
      headers: {
        host: hostHeader(question),
        accept,
        ...(ifNoneMatch !== null && { 'if-none-match': ifNoneMatch }),
        'user-agent': 'mailvet',
        connection: 'close',
      },
      setHost: false,
      maxHeaderSize: MAX_HEADER_OCTETS,
    });
    const end = (outcome: PageOutcome): void => {
      resolve(outcome);
      asked.destroy();
    };
    asked.on('response', (answer) => readAnswer(answer, maxOctets, end));
    asked.on('error', () => end(failed('it did not answer as HTTP says')));
    asked.on('close', () => end(failed('the connection ended before the answer')));
    asked.end();
  });
}

function readAnswer(answer: IncomingMessage, maxOctets: number, end: (outcome: PageOutcome) => void): void {
  const { statusCode: status = 0, headers } = answer;
  const contentType = headers['content-type'] ?? null;
  const etag = ENTITY_TAG.test(headers.etag ?? '') ? (headers.etag ?? null) : null;
  const parts: Buffer[] = [];
  let octets = 0;
  answer.on('error', () => end(failed('the answer broke off')));
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
    else end(failed('the answer broke off'));
  });
}

function failed(why: string): PageOutcome {
  return { kind: 'failed', why, ours: false };
}
