import type { Command } from 'commander';
import { accountId, unknownAccount } from '../../auth/account.command.js';
import { formatMonth, parseMonth, type Month } from '../../billing/month.js';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { fields, table } from '../../platform/cli/table.js';
import { typedValue } from '../../platform/cli/typed-value.js';
import { totalsOf, type DomainCount, type EventTotals, type TokenCounts } from './guard-report.js';

const TOP_DOMAINS = 10;

interface ReportOptions {
  readonly month?: Month;
  readonly property?: string;
  readonly sandbox: boolean;
}

interface Report {
  readonly account: string;
  readonly month: string;
  /** Property key; null: the whole account. */
  readonly property: string | null;
  readonly sandbox: boolean;
  readonly totals: EventTotals;
  readonly domains: readonly DomainCount[];
  /** Of the whole account and live keys only. `limit` null: unlimited. */
  readonly decisions: { readonly used: number; readonly limit: number | null };
}

/** `guard report`. */
export function registerGuardCommands(program: Command, context: CommandContext): void {
  program
    .command('guard')
    .description('events and remote decisions of guards in forms')
    .command('report')
    .description('count the events of a month by verdict, action, source and domain, and the used remote decisions')
    .argument('<account>', 'id of the account', accountId)
    .option(
      '--month <month>',
      'such as 2026-11, UTC; the one it is when left out',
      typedValue('must be a month such as 2026-11', parseMonth),
    )
    .option('--property <key>', 'key of one property; default: all events of the account')
    .option('--sandbox', 'events of test keys instead', false)
    .action(
      context.action((account: string, options: ReportOptions) =>
        report(account, options, context).then((found) => ({ json: toJson(found), text: toText(found) })),
      ),
    );
}

async function report(account: string, options: ReportOptions, context: CommandContext): Promise<Report> {
  const { accounts, properties, reports, decisions } = await repositories(context);
  const owner = await accounts.findById(account);
  if (owner === null) throw unknownAccount(context);
  const { property = null, sandbox } = options;
  const month = options.month ?? (await reports.currentMonth());
  const propertyId = property && ((await properties.find(account, [property])).get(property) ?? null);
  if (property !== null && propertyId === null) {
    const see = `To see them, type: ${context.programName} property list ${account}`;
    throw new CommandError(`no property of this account has this key. ${see}`);
  }
  const scope = { accountId: account, sandbox, propertyId, time: { month } };
  const [counted] = await decisions.used([account], [month]);
  return {
    account,
    month: formatMonth(month),
    property,
    sandbox,
    totals: totalsOf(await reports.counts(scope)),
    domains: await reports.topDomains(scope, TOP_DOMAINS),
    decisions: { used: counted?.used ?? 0, limit: owner.plan.guardDecisionsPerMonth },
  };
}

async function repositories(context: CommandContext) {
  const [
    { AccountRepository },
    { DecisionCountsRepository },
    { PropertiesRepository },
    { GuardReportRepository },
    database,
  ] = await Promise.all([
    import('../../auth/account.repository.js'),
    import('../../billing/decisions/decision-counts.repository.js'),
    import('../properties/properties.repository.js'),
    import('./guard-report.repository.js'),
    context.database(),
  ]);
  return {
    accounts: new AccountRepository(database),
    decisions: new DecisionCountsRepository(database),
    properties: new PropertiesRepository(database),
    reports: new GuardReportRepository(database),
  };
}

function toJson({ account, month, property, sandbox, totals, domains, decisions }: Report): CommandOutput['json'] {
  return { account, month, property, sandbox, ...totals, top_domains: domains, remote_decisions: decisions };
}

function toText({ month, property, sandbox, totals, domains, decisions }: Report): string {
  const summary = fields({
    month,
    property: property ?? 'all',
    events: `${totals.events}${sandbox ? ' of the sandbox' : ''}`,
    verdict: inWords(totals.verdict),
    action: inWords(totals.action),
    source: inWords(totals.source),
    degraded: totals.degraded,
    'remote decisions': `${decisions.used} of ${decisions.limit ?? 'unlimited'}`,
  });
  if (domains.length === 0) return summary;
  const rows = domains.map(({ domain, events }) => [printable(domain), events]);
  return `${summary}\n\n${table(['DOMAIN', 'EVENTS'], rows)}`;
}

/** Non-zero counts: `valid 12, role 3`. */
function inWords(counts: TokenCounts): string {
  const present = Object.entries(counts).filter(([, events]) => events > 0);
  return present.map(([token, events]) => `${token} ${events}`).join(', ') || '-';
}

/** Removes control characters: any holder of a key can write it, and a terminal shows it. */
function printable(domain: string): string {
  return domain.replaceAll(/\p{C}/gu, '\uFFFD');
}
