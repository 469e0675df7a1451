#!/usr/bin/env node
/**
 * mailvet-mcp: speaks MCP over stdin and stdout.
 * mailvet-mcp --http [--port 3003] [--host 127.0.0.1] [--allow-host NAME …]: over streamable HTTP, at /mcp.
 */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { Mailvet } from '@mailvet/client';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createHttpServer, hostname } from './http.js';
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
  const allowedHosts = new Set([...LOOPBACK, ...[name, ...values['allow-host']].map(asAsked)]);
  const server = createHttpServer(() => createServer(mailvet), { allowedHosts, token });
  server.listen(portIn(port), host, () => {
    console.error(`Mailvet's MCP server listens on http://${name}:${(server.address() as AddressInfo).port}/mcp`);
  });
  server.once('error', fail);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => server.close());
}

/** A name as callers' headers are compared: in small letters, without a port. */
function asAsked(name: string): string {
  const read = name.includes('/') ? '' : hostname(`http://${name}`);
  if (read === '')
    throw new Error(`--host and --allow-host take the name of a host, such as mcp.example.com: not ${name}`);
  return read;
}

function portIn(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
  if (!(port < 65_536))
    throw new Error(`--port must be a number from 0 to 65535, where 0 is any free port: not ${text}`);
  return port;
}

function fail(error: Error): void {
  console.error(error.message);
  process.exitCode = 1;
}

await main().catch(fail);
