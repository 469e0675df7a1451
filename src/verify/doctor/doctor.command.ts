import type { Command } from 'commander';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import type { Finding } from './finding.js';

/** Longer than a mail host may take to greet. */
const DEADLINE_MS = 20_000;

const SIGNS: Readonly<Record<Finding['state'], string>> = {
  ok: 'ok     ',
  warning: 'WARNING',
  fault: 'FAULT  ',
  unknown: '?      ',
};

/** `doctor`: reports each fault that keeps this machine from verifying addresses, and how to fix it. */
export function registerDoctorCommand(program: Command, context: CommandContext): void {
  program
    .command('doctor')
    .description('check resolver, port 25, names, clock, database and Redis, and say what to do')
    .option('--short', 'skip the database and Redis')
    .action(context.action(({ short = false }: { short?: boolean }) => diagnose(context, short)));
}

async function diagnose(context: CommandContext, short: boolean): Promise<CommandOutput> {
  const [{ Deadline }, { checkEgresses }] = await Promise.all([
    import('../../engine/deadline.js'),
    import('./check-egresses.js'),
  ]);
  const deadline = Deadline.after(DEADLINE_MS);
  try {
    const findings = await checkEgresses(deadline);
    if (!short) findings.push(...(await (await import('./check-stores.js')).checkStores(context)));
    return outputOf(findings);
  } finally {
    deadline.release();
  }
}

function outputOf(findings: readonly Finding[]): CommandOutput {
  const width = Math.max(...findings.map(({ check }) => check.length));
  const lines = findings.flatMap(({ check, state, found, advice }) => [
    `${SIGNS[state]}  ${check.padEnd(width)}  ${found}`,
    ...(advice === null ? [] : [`${' '.repeat(width + 11)}${advice}`]),
  ]);
  return {
    json: findings,
    text: lines.join('\n'),
    exitCode: findings.some(({ state }) => state === 'fault') ? 1 : 0,
  };
}
