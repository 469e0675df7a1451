import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { hostHeader, MAX_HEADER_OCTETS, type Authority } from './host-header.js';
import type { PostOutcome, PostRequest } from './post.js';

export interface PostQuestion extends Authority, Pick<PostRequest, 'path' | 'headers' | 'body' | 'maxOctets'> {}

/**
 * Sends one message on an open connection and reads the beginning of the answer. Ends with the connection, whose owner
 * sets the deadline. Never rejects.
 */
export function postMessage(socket: Socket, question: PostQuestion): Promise<PostOutcome> {
  const { path, headers, body, maxOctets } = question;
  return new Promise((resolve) => {
    const asked: ClientRequest = request({
      createConnection: () => socket,
      method: 'POST',
      path,
      headers: {
        host: hostHeader(question),
        'user-agent': 'mailvet',
        connection: 'close',
        ...headers,
        'content-type': 'application/json',
        'content-length': String(Buffer.byteLength(body)),
      },
      setHost: false,
      maxHeaderSize: MAX_HEADER_OCTETS,
    });
    const end = (outcome: PostOutcome): void => {
      resolve(outcome);
      asked.destroy();
    };
    let isAnswered = false;
    const failed = (why: string): void => {
      if (!isAnswered) end({ kind: 'failed', why, ours: false });
    };
    asked.on('response', (answer) => {
      isAnswered = true;
      readBeginning(answer, maxOctets, end);
    });
    asked.on('error', () => failed('it did not answer as HTTP says'));
    asked.on('close', () => failed('the connection ended before the answer'));
    asked.end(body);
  });
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
