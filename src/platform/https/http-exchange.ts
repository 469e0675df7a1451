import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { isIPv6, type Socket } from 'node:net';
import type { Deadline } from '../../engine/deadline.js';

/** What to ask, and the limits. */
export interface HttpsRequest {
  /** A name, in lowercase A-labels, or an IP address: the certificate must have it. */
  readonly host: string;
  /** Starts with `/`. */
  readonly path: string;
  /** Overrides the usual port. */
  readonly port?: number;
  /** Without TLS, so the server is not authenticated. Only for hosts that an operator configured. */
  readonly plain?: boolean;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON to send. Without it, the path is fetched. */
  readonly body?: string;
  /** Maximum octets of the answer's body. */
  readonly maxOctets: number;
  /** Ends the request. */
  readonly deadline: Deadline;
}

/**
 * - `answer`: the host was authenticated (unless `plain`) and answered, with any status; redirects are ordinary answers.
 * `body` is what came of it within the limits when something was sent; of a fetched path, it is whole, and null unless the
 * status is 200.
 * - `refused`: we do not accept it: `certificate`: not valid for the host; `address`: none of its addresses may be
 * connected to; `no_address`: it has none; `size`: what was fetched exceeds the limit.
 * - `failed`: no conclusion. `ours`: the cause is on our side. `dns`: nobody said where the host is.
 */
export type HttpsOutcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: IncomingHttpHeaders;
      readonly body: string | null;
    }
  | { readonly kind: 'refused'; readonly why: 'certificate' | 'address' | 'no_address' | 'size' }
  | HttpsFailure;

export interface HttpsFailure {
  readonly kind: 'failed';
  readonly why: string;
  readonly ours: boolean;
  readonly dns: boolean;
}

const MAX_HEADER_OCTETS = 16_384;
/** Provisional answers (1xx) that are read before the answer: a host could send them without end. */
const MAX_PROVISIONAL = 20;

/** Sends one request on an open connection. Ends with the connection, whose owner sets the deadline. Never rejects. */
export function exchange(socket: Socket, asked: HttpsRequest & { readonly port: number }): Promise<HttpsOutcome> {
  const { path, headers, body } = asked;
  const ofBody = body !== undefined && {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  return new Promise((resolve) => {
    const sent = request({
      createConnection: () => socket,
      method: body === undefined ? 'GET' : 'POST',
      path,
      headers: { host: hostHeader(asked), 'user-agent': 'mailvet', connection: 'close', ...headers, ...ofBody },
      setHost: false,
      maxHeaderSize: MAX_HEADER_OCTETS,
    });
    const end = (outcome: HttpsOutcome): void => {
      resolve(outcome);
      sent.destroy();
    };
    let isAnswered = false;
    const fail = (why: string): void => {
      if (!isAnswered) end(failed(why));
    };
    let provisional = 0;
    sent.on('information', () => {
      provisional += 1;
      if (provisional > MAX_PROVISIONAL) fail('it sent provisional answers only');
    });
    sent.on('response', (answer) => {
      isAnswered = true;
      readAnswer(answer, asked, end);
    });
    sent.on('error', () => fail('it did not answer as HTTP says'));
    sent.on('close', () => fail('the connection ended before the answer'));
    sent.end(body);
  });
}

export function failed(why: string, of: Partial<Pick<HttpsFailure, 'ours' | 'dns'>> = {}): HttpsFailure {
  return { kind: 'failed', why, ours: false, dns: false, ...of };
}

function readAnswer(answer: IncomingMessage, asked: HttpsRequest, end: (outcome: HttpsOutcome) => void): void {
  const { statusCode: status = 0, headers } = answer;
  const { maxOctets } = asked;
  const isFetched = asked.body === undefined;
  const parts: Buffer[] = [];
  let octets = 0;
  const answered = (): void => {
    const body = Buffer.concat(parts).subarray(0, maxOctets).toString('utf8');
    end({ kind: 'answer', status, headers, body });
  };
  // The status says what became of a message: an answer that breaks off, or never ends, changes nothing.
  const cut = (outcome: HttpsOutcome): void => (isFetched ? end(outcome) : answered());
  const breakOff = (): void => cut(failed('the answer broke off'));
  answer.on('error', breakOff);
  answer.on('close', breakOff);
  if (isFetched && status !== 200) return end({ kind: 'answer', status, headers, body: null });
  const large: HttpsOutcome = { kind: 'refused', why: 'size' };
  if (isFetched && Number(headers['content-length'] ?? 0) > maxOctets) return end(large);
  answer.on('data', (part: Buffer) => {
    parts.push(part);
    octets += part.length;
    if (octets > maxOctets) cut(large);
  });
  answer.on('end', () => {
    if (answer.complete) answered();
    else breakOff();
  });
}

function hostHeader({ host, port, plain = false }: HttpsRequest & { readonly port: number }): string {
  const name = isIPv6(host) ? `[${host}]` : host;
  return port === (plain ? 80 : 443) ? name : `${name}:${port}`;
}
