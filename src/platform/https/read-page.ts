import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { PageOutcome } from './page.js';

const MAX_HEADER_OCTETS = 16_384;

export interface PageQuestion {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly maxOctets: number;
}

/**
 * Asks for one page over a connection that is already secured, and reads the answer within bounds. Ends with the connection;
 * whoever owns that sets the deadline. Never rejects.
 */
export function readPage(socket: TLSSocket, { host, port, path, maxOctets }: PageQuestion): Promise<PageOutcome> {
  return new Promise((resolve) => {
    const asked: ClientRequest = request({
      createConnection: () => socket,
      method: 'GET',
      path,
      headers: {
        host: port === 443 ? host : `${host}:${port}`,
        accept: 'text/plain',
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
  const parts: Buffer[] = [];
  let octets = 0;
  answer.on('error', () => end(failed('the answer broke off')));
  if (status !== 200) return end({ kind: 'page', status, contentType, body: null });
  if (Number(headers['content-length'] ?? 0) > maxOctets) return end({ kind: 'refused', why: 'size' });
  answer.on('data', (part: Buffer) => {
    octets += part.length;
    if (octets > maxOctets) end({ kind: 'refused', why: 'size' });
    else parts.push(part);
  });
  answer.on('end', () => {
    if (answer.complete) end({ kind: 'page', status, contentType, body: Buffer.concat(parts).toString('utf8') });
    else end(failed('the answer broke off'));
  });
}

function failed(why: string): PageOutcome {
  return { kind: 'failed', why, ours: false };
}
