import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { waitUntil } from '../support/wait-until.js';
import { DOMAIN, product, url } from './service.js';

const SERVER = resolve(__dirname, '../../clients/mcp/dist/main.js');
const TOOLS = [
  'check_domain',
  'credits',
  'list_results',
  'list_status',
  'submit_list',
  'verify_email',
  'verify_emails',
];

const environment = (key: string, further: Record<string, string> = {}): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '',
  MAILVET_URL: url,
  MAILVET_KEY: key,
  ...further,
});

interface Connected {
  readonly client: Client;
  close(): Promise<void>;
}

async function overStdio(key: string): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], env: environment(key) }));
  return { client, close: () => client.close() };
}

interface HttpServer {
  readonly url: URL;
  readonly process: ChildProcess;
  stop(): Promise<number>;
}

async function startHttp(
  key: string,
  further: Record<string, string> = {},
  options: readonly string[] = [],
): Promise<HttpServer> {
  const child = spawn(process.execPath, [SERVER, '--http', '--port', '0', ...options], {
    env: environment(key, further),
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [line] = (await once(createInterface(child.stderr), 'line')) as [string];
  const [, port] = /^Mailvet's MCP server listens on http:\/\/127\.0\.0\.1:([1-9]\d*)\/mcp$/.exec(line) ?? [];
  expect(line).toContain(`:${port}/mcp`);
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    process: child,
    stop: async () => {
      child.kill('SIGTERM');
      return ((await ended) as [number])[0];
    },
  };
}

async function overHttp(key: string): Promise<Connected> {
  const server = await startHttp(key);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(server.url));
  return {
    client,
    close: async () => {
      await client.close();
      expect(await server.stop()).toBe(0);
    },
  };
}

describe.each([
  ['stdio', 'test', overStdio],
  ['stdio', 'live', overStdio],
  ['streamable HTTP', 'test', overHttp],
  ['streamable HTTP', 'live', overHttp],
] as const)('an agent over %s with a %s key', (_transport, mode, connect) => {
  let connected: Connected;
  beforeAll(async () => {
    connected = await connect(await product.createKey(mode));
  });
  afterAll(() => connected?.close());

  /** What a tool answers; an error of it is thrown. */
  async function use<T>(name: string, args: object = {}): Promise<T> {
    const { content, isError } = (await connected.client.callTool({ name, arguments: { ...args } })) as CallToolResult;
    const [first] = content;
    if (first?.type !== 'text') throw new Error('The tool answered no text.');
    if (isError === true) throw new Error(first.text);
    return JSON.parse(first.text) as T;
  }

  it('finds the tools', async () => {
    const { tools } = await connected.client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(TOOLS);
    for (const { description, inputSchema } of tools)
      expect([description, inputSchema.type]).toEqual([expect.any(String), 'object']);
  });

  it('verifies one address and several', async () => {
    expect(await use('verify_email', { email: `valid@${DOMAIN}` })).toMatchObject({ result: 'valid' });
    expect(await use('verify_emails', { emails: [`valid@${DOMAIN}`, 'nothing'] })).toMatchObject([
      { result: 'valid' },
      { error: 'invalid_email' },
    ]);
  });

  it('submits a list, follows it and reads its results in pages', async () => {
    const emails = Array.from({ length: 5 }, (_, i) => `valid@${i === 0 ? '' : `no-${i}.`}${DOMAIN}`);
    const { id } = await use<{ id: string }>('submit_list', { emails });
    const completed = await waitUntil(
      async () => (await use<{ status: string }>('list_status', { id })).status === 'completed',
      { ms: 60_000, everyMs: 200 },
    );
    expect(completed).toBe(true);
    const { results } = await use<{ results: { email: string }[] }>('list_results', { id, offset: 1, limit: 3 });
    expect(results.map(({ email }) => email)).toEqual(emails.slice(1, 4));
    expect(await use('list_results', { id })).toMatchObject({ status: 'completed', total: 5 });
  });

  it('checks a domain', async () => {
    expect(await use('check_domain', { domain: DOMAIN })).toMatchObject({ name: DOMAIN, types: expect.any(Array) });
  });

  it('reads credits', async () => {
    expect(await use('credits')).toMatchObject({ plan: 'scale', sandbox: mode === 'test' });
  });

  it('gets errors as answers that say what to do', async () => {
    await expect(use('list_status', { id: 'nothing' })).rejects.toThrow('not_found: ');
    await expect(use('verify_emails', { emails: [] })).rejects.toThrow('emails');
  });
});

describe('the HTTP transport', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await startHttp(await product.createKey('test'), { MAILVET_MCP_TOKEN: 'open sesame' }, [
      '--allow-host',
      'Agents.Example.com:443',
    ]);
  });
  afterAll(() => server?.stop());

  const authorization = 'Bearer open sesame';
  /** `fetch` sends no Host header of the caller's choice. */
  function post(headers: Record<string, string>): Promise<number | undefined> {
    const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    return new Promise((settle, reject) => {
      request(server.url, { method: 'POST', headers: { ...json, ...headers } }, (response) => {
        response.resume().once('end', () => settle(response.statusCode));
      })
        .once('error', reject)
        .end(JSON.stringify(body));
    });
  }

  it.each([
    ['its token', { authorization }, 200],
    ['its token, from a page of this machine', { authorization, origin: 'http://localhost:5173' }, 200],
    ['a name that --allow-host has', { authorization, host: 'agents.example.com' }, 200],
    ['the same in other letters', { authorization, host: 'AGENTS.example.com:3003' }, 200],
    ['no token', {}, 401],
    ['another token', { authorization: 'Bearer open barley' }, 401],
    ['a name that was pointed here', { authorization, host: 'attacker.example' }, 403],
    ['a page of another site', { authorization, origin: 'https://attacker.example' }, 403],
    ['a page without an origin', { authorization, origin: 'null' }, 403],
  ])('answers a call with %s: %j is %d', async (_, headers, status) => {
    expect(await post(headers)).toBe(status);
  });

  it.each([
    ['GET', '/mcp', 405],
    ['DELETE', '/mcp', 405],
    ['POST', '/', 404],
  ])('%s %s is %d', async (method, path, status) => {
    const response = await fetch(new URL(path, server.url), { method, headers: { authorization } });
    await response.text();
    expect(response.status).toBe(status);
  });
});

it.each([
  ['without a key', [], { MAILVET_KEY: '' }, 'MAILVET_KEY'],
  ['for other machines without a token', ['--http', '--host', '0.0.0.0'], {}, 'MAILVET_MCP_TOKEN'],
  ['on a port that is none', ['--http', '--port', '80x'], {}, '--port must be a number from 0 to 65535'],
  [
    'under a name that is none',
    ['--http', '--allow-host', 'https://mcp.example.com'],
    {},
    'mcp.example.com: not https',
  ],
  ['with an unknown option', ['--htp'], {}, '--htp'],
])('does not start %s, and says why', async (_, args, further, why) => {
  const child = spawn(process.execPath, [SERVER, ...args], { env: environment('mv_test_x', further) });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => void (said += chunk));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(said).toContain(why);
});
