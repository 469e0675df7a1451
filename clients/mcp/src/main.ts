#!/usr/bin/env node
/**
 * mailvet-mcp: speaks MCP over stdin and stdout.
 * mailvet-mcp --http [--port 3003] [--host 127.0.0.1] [--allow-host NAME …]: over streamable HTTP, at /mcp.
 */
import { parseArgs } from 'node:util';
import { Mailvet } from '@mailvet/client';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createHttpServer } from './http.js';
import { createServer } from './server.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** stdout belongs to the protocol. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      http: { type: 'boolean', default: false },
      host: { type: 'string', default: '127.0.0.1' },
      port: { type: 'string', default: '3003' },
      'allow-host': { type: 'string', multiple: true, default: [] },
    },
  });
  const mailvet = new Mailvet();
  if (!values.http) {
    await createServer(mailvet).connect(new StdioServerTransport());
    return;
  }
  const { host, port } = values;
  const token = process.env['MAILVET_MCP_TOKEN'] || null;
  const name = host.includes(':') ? `[${host}]` : host;
  if (!LOOPBACK.includes(name) && token === null) {
    throw new Error(`Whoever reaches ${host} could spend your credits: set MAILVET_MCP_TOKEN, or leave --host out.`);
  }
  const allowedHosts = new Set([...LOOPBACK, name, ...values['allow-host']]);
  const server = createHttpServer(() => createServer(mailvet), { allowedHosts, token });
  server.listen(Number(port), host, () => console.error(`Mailvet's MCP server listens on http://${name}:${port}/mcp`));
  server.once('error', fail);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => server.close());
}

function fail(error: Error): void {
  console.error(error.message);
  process.exitCode = 1;
}

await main().catch(fail);
