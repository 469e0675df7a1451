import type { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** `migrate`: updates the database schema to this build. */
export function registerMigrateCommand(program: Command, context: CommandContext): void {
  program
    .command('migrate')
    .description('update the database schema to this build; safe to repeat')
    .action(
      context.action(async () => {
        const { secrets } = await context.settings();
        const { runMigrations } = await import('../database/run-migrations.js');
        const applied = await runMigrations(secrets.database);
        const text =
          applied.length === 0
            ? 'The database is up to date.'
            : ['Applied:', ...applied.map((name) => `  ${name}`)].join('\n');
        return { json: { applied }, text };
      }),
    );
}
