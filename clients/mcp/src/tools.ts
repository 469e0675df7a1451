import { type Mailvet, MailvetError } from '@mailvet/client';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';

const email = z.string().max(1024);
const mode = z
  .enum(['quick', 'standard', 'enhanced'])
  .optional()
  .describe(
    'quick: syntax and DNS, free. standard (when left out): asks the mail host. enhanced: detects catch-all domains too.',
  );
const listMode = z
  .enum(['standard', 'enhanced'])
  .optional()
  .describe('standard when left out; enhanced detects catch-all domains too.');
const id = z.string().describe('The id that submit_list returned.');

const COSTS = { readOnlyHint: false, destructiveHint: false, openWorldHint: true };
const READS = { readOnlyHint: true };
/** What an agent reads at a time. */
const PAGE = 100;

/** Every tool is one call of the client. */
export function addTools(server: McpServer, mailvet: Mailvet): void {
  server.registerTool(
    'verify_email',
    {
      description:
        'Verifies one email address: whether it can receive mail, why, a score, and a recommendation (allow, deny, review). Costs 1 credit, enhanced 3, quick none.',
      inputSchema: { email, mode },
      annotations: COSTS,
    },
    (request, { signal }) => answer(mailvet.verify(request, { signal })),
  );
  server.registerTool(
    'verify_emails',
    {
      description:
        'Verifies up to 100 addresses at once from the cache and DNS. An entry whose mail host has not been asked yet is verification_pending: call again later. Each address costs 1 credit, enhanced 3, quick none.',
      inputSchema: { emails: z.array(email).min(1).max(100), mode },
      annotations: COSTS,
    },
    (request, { signal }) => answer(mailvet.verifyBatch(request, { signal })),
  );
  server.registerTool(
    'submit_list',
    {
      description:
        'Submits up to 10,000 addresses to be verified in the background, and returns the id of the list. Each address costs 1 credit, enhanced 3; one that ends as verify_unavailable is refunded.',
      inputSchema: {
        emails: z.array(email).min(1).max(10_000),
        mode: listMode,
        name: z.string().min(1).max(100).optional(),
      },
      annotations: COSTS,
    },
    (request, { signal }) => answer(mailvet.jobs.submit(request, { signal })),
  );
  server.registerTool(
    'list_status',
    { description: 'How far a submitted list is. Free.', inputSchema: { id }, annotations: READS },
    (request, { signal }) => answer(mailvet.jobs.get(request.id, { signal })),
  );
  server.registerTool(
    'list_results',
    {
      description: `Results of a completed list, in the order sent, ${PAGE} at a time unless limit says otherwise. Free.`,
      inputSchema: {
        id,
        offset: z.number().int().min(0).max(10_000).default(0).describe('Position of the first result.'),
        limit: z.number().int().min(1).max(1000).default(PAGE),
      },
      annotations: READS,
    },
    ({ id: job, ...page }, { signal }) => answer(mailvet.jobs.page(job, page, { signal })),
  );
  server.registerTool(
    'check_domain',
    {
      description:
        'What a domain publishes (SPF, DKIM, DMARC, blocklists, …), its types and its score. Free; a domain that is not known takes up to 8 seconds.',
      inputSchema: { domain: z.string().min(1).max(1024) },
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (request, { signal }) => answer(mailvet.domains.lookUp(request, { signal })),
  );
  server.registerTool(
    'credits',
    {
      description: 'The balance of the account, its rate limit and allowances. Free.',
      inputSchema: {},
      annotations: READS,
    },
    (_, { signal }) => answer(mailvet.credits({ signal })),
  );
}

/** An error of the service is an answer, which the agent can act on. */
async function answer(call: Promise<unknown>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: JSON.stringify(await call) }] };
  } catch (error) {
    return { isError: true, content: [{ type: 'text', text: describe(error) }] };
  }
}

function describe(error: unknown): string {
  if (error instanceof MailvetError) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
