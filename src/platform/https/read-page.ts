import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ask, failure, type Authority } from './ask.js';
import type { PageOutcome, PageRequest } from './page.js';

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
