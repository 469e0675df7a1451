import { connect } from 'node:net';

/** One POST of a JSON body. */
export interface Request {
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

export interface LoadOptions {
  /** Connections, each with one request at a time. */
  readonly connections: number;
  /** Bodies, sent in turn. */
  readonly requests: readonly Request[];
  readonly ms: number;
}

export interface Load {
  readonly perSecond: number;
  /** Latency of every request. */
  readonly tookMs: readonly number[];
}

/**
 * Sends POSTs in a loop. It parses just enough HTTP/1.1 to find the end of an answer, so that the generator is not
 * measured; an answer must have a Content-Length. Rejects at the first answer that is not 200.
 */
export async function load(url: URL, { connections, requests, ms }: LoadOptions): Promise<Load> {
  const bytes = requests.map((request) => requestBytes(url, request));
  let sent = 0;
  const next = (): Buffer => bytes[sent++ % bytes.length]!;
  const tookMs: number[] = [];
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, () => keepAsking(url, next, began + ms, tookMs)));
  return { perSecond: (tookMs.length / (performance.now() - began)) * 1000, tookMs };
}

function requestBytes(url: URL, { headers, body }: Request): Buffer {
  const lines = Object.entries({
    host: url.host,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`POST ${url.pathname} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

function keepAsking(url: URL, next: () => Buffer, until: number, tookMs: number[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
    let heard: Buffer | null = null;
    let askedAt = 0;
    const ask = (): void => {
      askedAt = performance.now();
      socket.write(next());
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the server hung up')));
    socket.on('data', (chunk) => {
      heard = heard === null ? chunk : Buffer.concat([heard, chunk]);
      const end = endOfAnswer(heard);
      if (end === null || heard.length < end) return;
      const status = heard.toString('latin1', 9, 12);
      heard = null;
      if (status !== '200') {
        socket.destroy();
        reject(new Error(`the server answered ${status}`));
        return;
      }
      const now = performance.now();
      tookMs.push(now - askedAt);
      if (now < until) return ask();
      resolve();
      socket.destroy();
    });
  });
}

/** Length of the first answer, head and body; null while its head is incomplete. */
function endOfAnswer(heard: Buffer): number | null {
  const headEnd = heard.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const length = /\r\ncontent-length: *(\d+)/i.exec(heard.toString('latin1', 0, headEnd))?.[1];
  if (length === undefined) throw new Error('an answer without Content-Length');
  return headEnd + 4 + Number(length);
}
