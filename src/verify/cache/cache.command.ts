import type { Command } from 'commander';
import { parseDomain } from '../../engine/address/domain-name.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { typedValue } from '../../platform/cli/typed-value.js';

const domainName = typedValue('must be a domain, such as example.com', (text) => {
  const parsed = parseDomain(
    text
      .trim()
      .toLowerCase()
      .replace(/[.\u3002\uff0e\uff61]$/, ''),
  );
  return parsed.ok ? parsed.domain : null;
});

/** `cache purge`. */
export function registerCacheCommands(program: Command, context: CommandContext): void {
  program
    .command('cache')
    .description('cached checks')
    .command('purge')
    .description('delete every check of a domain and its catch-all state')
    .requiredOption('--domain <domain>', 'domain whose addresses will be checked again', domainName)
    .action(
      context.action(async ({ domain }: { readonly domain: string }) => {
        const { purgeDomain } = await import('./purge-domain.repository.js');
        const purged = await purgeDomain(await context.database(), domain, context.operator);
        return { json: { purged }, text: `Forgot ${purged} ${purged === 1 ? 'check' : 'checks'} of ${domain}.` };
      }),
    );
}
