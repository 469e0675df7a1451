import type { Command } from 'commander';
import type { TraceEvent } from '../engine/trace.js';
import { MODES, type Mode } from '../engine/verdict/result.js';
import type { CommandContext } from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import { AppError } from '../platform/errors/app-error.js';
import { fields } from '../platform/cli/table.js';
import { typedValue } from '../platform/cli/typed-value.js';
import type { EngineSurroundings } from './engine/create-engine.js';
import { explanation } from './explanation.js';
import type { VerifyResult } from './verify.response.js';

interface Options {
  readonly mode: Mode;
  readonly explain?: boolean;
}

const mode = typedValue(`must be one of ${MODES.join(', ')}`, (text) => MODES.find((known) => known === text) ?? null);

/**
 * `verify ADDRESS`: runs the API's engine from a shell. Needs no key, credits or database; reads the fetched lists and
 * the operator's from the database if there is one.
 */
export function registerVerifyCommands(program: Command, context: CommandContext): void {
  program
    .command('verify')
    .description('verify one address from this machine')
    .argument('<address>', 'the address')
    .option('--mode <mode>', MODES.join(', '), mode, 'standard')
    .option('--explain', 'show every DNS answer and the SMTP dialogue')
    .action(
      context.action(async (address: string, { mode: depth, explain = false }: Options) => {
        const [{ loadEngineConfig, namesDatabase }, { createEngine }, { verifyWith }] = await Promise.all([
          import('../platform/config/load-config.js'),
          import('./engine/create-engine.js'),
          import('./verify-with.js'),
        ]);
        const settings = loadEngineConfig();
        const lists = namesDatabase() ? await storedLists(context) : {};
        const running = createEngine(settings, lists);
        context.onClose(() => Promise.resolve(running.close()));
        const events: TraceEvent[] = [];
        const result = await verifyWith(running, address, {
          mode: depth,
          deadlineMs: settings.config.verify.deadlineMs,
          trace: explain ? (event) => void events.push(event) : undefined,
        }).catch((error: unknown) => {
          throw forOperators(error);
        });
        const shown = fields(flat(result));
        return explain
          ? { json: { ...result, explain: events }, text: `${explanation(events, result)}\n\n${shown}` }
          : { json: result, text: shown };
      }),
    );
}

/** Tells what failed on our side, which callers of the API do not learn: an operator can mend it. */
function forOperators(error: unknown): unknown {
  if (!(error instanceof AppError) || !(error.cause instanceof Error)) return error;
  return new CommandError(`there is no verdict: ${error.cause.message}. What is wrong here: node dist/cli doctor`);
}

/** The lists that the service uses, if its database can be read. */
async function storedLists(context: CommandContext): Promise<EngineSurroundings> {
  const { listsOnRecord } = await import('../domains/lists-on-record.js');
  return listsOnRecord(context);
}

/** One line per field of the result; objects joined. Without a database nothing is known of a domain. */
function flat({ decision, domain, ...result }: VerifyResult): Record<string, string | number | null> {
  const entries = Object.entries(result).map(([name, value]): [string, string | number | null] => [
    name,
    typeof value === 'boolean' ? String(value) : value,
  ]);
  const reasons = decision.reasons.join(', ');
  return {
    ...Object.fromEntries(entries),
    domain: domain?.name ?? null,
    decision: reasons === '' ? decision.recommendation : `${decision.recommendation} (${reasons})`,
  };
}
