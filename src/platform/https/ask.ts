import { request, type IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';

const MAX_HEADER_OCTETS = 16_384;

export interface Authority {
  /** A name or an address. */
  readonly host: string;
  readonly port: number;
  /** The port that the `Host` header omits. */
  readonly usualPort: 443 | 80;
}

interface Question extends Authority {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** There was no answer, or none that can be used; it is not our fault. */
export interface Failure {
  readonly kind: 'failed';
  readonly why: string;
  readonly ours: false;
}

/**
 * Sends one request on an open connection. Ends with the connection, whose owner sets the deadline. Never rejects.
 * @param read reads the answer, and calls `end` with the outcome
 */
export function ask<Outcome>(
  socket: Socket,
  question: Question,
  read: (answer: IncomingMessage, end: (outcome: Outcome | Failure) => void) => void,
): Promise<Outcome | Failure> {
  const { method, path, headers, body } = question;
  return new Promise((resolve) => {
    const asked = request({
      createConnection: () => socket,
      method,
      path,
      headers: { host: hostHeader(question), 'user-agent': 'mailvet', connection: 'close', ...headers },
      setHost: false,
      maxHeaderSize: MAX_HEADER_OCTETS,
    });
    const end = (outcome: Outcome | Failure): void => {
      resolve(outcome);
      asked.destroy();
    };
    let isAnswered = false;
    const fail = (why: string): void => {
      if (!isAnswered) end(failure(why));
    };
    asked.on('response', (answer) => {
      isAnswered = true;
      read(answer, end);
    });
    asked.on('error', () => fail('it did not answer as HTTP says'));
    asked.on('close', () => fail('the connection ended before the answer'));
    asked.end(body);
  });
}

export function failure(why: string): Failure {
  return { kind: 'failed', why, ours: false };
}

function hostHeader({ host, port, usualPort }: Authority): string {
  const name = isIPv6(host) ? `[${host}]` : host;
  return port === usualPort ? name : `${name}:${port}`;
}
