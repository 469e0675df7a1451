import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface HttpOptions {
  /** Names by which this server may be asked, without ports. A page in a browser can make any other name point here. */
  readonly allowedHosts: ReadonlySet<string>;
  /** Asked for as `Authorization: Bearer …`; null: nothing is asked for. */
  readonly token: string | null;
}

/** Serves `/mcp` (streamable HTTP), each request by a server of its own: there are no sessions. */
export function createHttpServer(serverOf: () => McpServer, options: HttpOptions): Server {
  return createServer((request, response) => {
    const refusal = refuse(request, options);
    if (refusal !== null) return end(response, ...refusal);
    serve(serverOf(), request, response).catch((error: unknown) => {
      console.error(error);
      if (!response.headersSent) end(response, 500, 'The server failed.');
    });
  });
}

async function serve(server: McpServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const transport = new StreamableHTTPServerTransport({});
  response.once('close', () => void server.close());
  await server.connect(transport);
  await transport.handleRequest(request, response);
}

function refuse({ headers, method, url = '' }: IncomingMessage, options: HttpOptions): [number, string] | null {
  const { allowedHosts, token } = options;
  if (!allowedHosts.has(hostname(`http://${headers.host}`))) return [403, 'The Host header names another server.'];
  if (headers.origin !== undefined && !allowedHosts.has(hostname(headers.origin))) {
    return [403, 'The Origin header names a page that may not call this server.'];
  }
  if (token !== null && !isSame(headers.authorization ?? '', `Bearer ${token}`))
    return [401, 'The token is missing or wrong.'];
  if (url.split('?')[0] !== '/mcp') return [404, 'The server is at /mcp.'];
  // Without sessions there is nothing to listen to and nothing to end.
  return method === 'POST' ? null : [405, 'Use POST.'];
}

/** Of a URL; empty if it is none. */
export function hostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname : '';
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function end(response: ServerResponse, status: number, message: string): void {
  const headers = {
    'Content-Type': 'application/json',
    ...(status === 405 && { Allow: 'POST' }),
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
  };
  response
    .writeHead(status, headers)
    .end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
