import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { ask, type Authority } from './ask.js';
import type { PostOutcome, PostRequest } from './post.js';

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
