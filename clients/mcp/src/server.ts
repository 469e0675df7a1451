import { createRequire } from 'node:module';
import type { Mailvet } from '@mailvet/client';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { addTools } from './tools.js';

const { version } = createRequire(import.meta.url)('../package.json') as { version: string };

/** The server that both transports speak for. */
export function createServer(mailvet: Mailvet): McpServer {
  const server = new McpServer(
    { name: 'mailvet', version },
    {
      instructions:
        'Verifies email addresses by DNS and SMTP, without sending mail. One address: verify_email. Up to 100: verify_emails. ' +
        'More, or where every mail host has to be asked: submit_list, then list_status until it is completed, then list_results. ' +
        'Verifications cost credits.',
    },
  );
  addTools(server, mailvet);
  return server;
}
