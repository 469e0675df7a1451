import type { Command } from 'commander';
import { LIST_NAMES, type ListName } from '../../engine/signals/refreshable-lists.js';
import type { CommandContext, CommandOutput } from '../../platform/cli/command-context.js';
import { CommandError } from '../../platform/cli/command-error.js';
import { table } from '../../platform/cli/table.js';
import { typedValue } from '../../platform/cli/typed-value.js';
import type { RefreshOutcome } from './refresh-lists.service.js';
import type { ListState } from './refreshed-lists.repository.js';

const list = typedValue(
  `must be one of ${LIST_NAMES.join(', ')}`,
  (text) => LIST_NAMES.find((n) => n === text) ?? null,
);

/** `list status|refresh|drop`: lists fetched at run time. */
export function registerListCommands(program: Command, context: CommandContext): void {
  const command = program.command('list').description('shipped and fetched lists of domains');
  command
    .command('status')
    .description('show sources and age of the lists, and why a fetched one was last refused')
    .action(context.action(() => status(context)));
  command
    .command('refresh')
    .description('fetch the lists of LIST_URLS now, from this machine')
    .argument('[list]', 'only this list', list)
    .action(context.action((name: ListName | undefined) => refresh(name ?? null, context)));
  command
    .command('drop')
    .description('drop a fetched list: only the shipped one counts, until the next fetch')
    .argument('<list>', `one of ${LIST_NAMES.join(', ')}`, list)
    .action(context.action((name: ListName) => drop(name, context)));
}

async function rowsOf(context: CommandContext) {
  const { RefreshedListsRepository } = await import('./refreshed-lists.repository.js');
  return new RefreshedListsRepository(await context.database());
}

async function status(context: CommandContext): Promise<CommandOutput> {
  const [rows, { SHIPPED_LISTS }, { secrets }] = await Promise.all([
    rowsOf(context),
    import('../../engine/signals/shipped-lists.js'),
    context.settings(),
  ]);
  const states = new Map((await rows.states()).map((state) => [state.name, state]));
  const configured = new Set(secrets.listUrls.map(({ name }) => name));
  const json = LIST_NAMES.map((name) => ({
    list: name,
    shipped: SHIPPED_LISTS.filter((shipped) => shipped.list === name).map(({ source, version, dated }) => ({
      source,
      version,
      dated,
    })),
    fetched: fetchedJson(states.get(name), configured.has(name)),
  }));
  const lines = json.map(({ list: name, shipped, fetched }) => [
    name,
    shipped.map(({ dated }) => dated).join(', '),
    fetched.entries,
    fetched.age_seconds === null ? null : age(fetched.age_seconds),
    fetched.source ?? (fetched.configured ? 'not fetched yet' : null),
    fetched.refused_at,
    fetched.refusal,
  ]);
  return { json, text: table(['LIST', 'SHIPPED', 'FETCHED', 'AGE', 'SOURCE', 'LAST REFUSED', 'WHY'], lines) };
}

function fetchedJson(state: ListState | undefined, configured: boolean) {
  const confirmedAt = state?.confirmedAt ?? null;
  return {
    configured,
    source: state?.source ?? null,
    entries: confirmedAt === null ? null : (state?.entries ?? null),
    changed_at: state?.changedAt ?? null,
    confirmed_at: confirmedAt,
    age_seconds: confirmedAt === null ? null : Math.max(0, Math.round((Date.now() - confirmedAt.getTime()) / 1000)),
    tried_at: state?.triedAt ?? null,
    refused_at: state?.refusedAt ?? null,
    refusal: state?.refusal ?? null,
  };
}

async function refresh(only: ListName | null, context: CommandContext): Promise<CommandOutput> {
  const [{ loadEngineConfig }, { ListRefresher }, { secrets }] = await Promise.all([
    import('../../platform/config/load-config.js'),
    import('./list-refresher.js'),
    context.settings(),
  ]);
  const urls = secrets.listUrls.filter(({ name }) => only === null || name === only);
  if (urls.length === 0) throw new CommandError(`LIST_URLS names no URL${only === null ? '' : ` for ${only}`}`);
  const refresher = new ListRefresher(loadEngineConfig().config, await rowsOf(context));
  context.onClose(() => Promise.resolve(refresher.close()));
  const outcomes: RefreshOutcome[] = [];
  for (const url of urls) {
    const outcome = await refresher.lists.refresh(url, new AbortController().signal, true);
    outcomes.push(outcome);
    context.say(said(outcome));
  }
  const refused = outcomes.some(({ outcome }) => outcome === 'refused');
  return { json: outcomes.map(outcomeJson), text: SUMMARY[refused ? 'refused' : 'good'], exitCode: refused ? 1 : 0 };
}

const SUMMARY = {
  good: 'What has changed is in effect everywhere within 5 seconds.',
  refused: 'Of what was not taken, what was in force before stays.',
};

function said(outcome: RefreshOutcome): string {
  const { name } = outcome;
  if (outcome.outcome === 'changed')
    return `${name}: ${outcome.entries} entries are in force now, ${outcome.passedOver} were passed over`;
  if (outcome.outcome === 'refused') return `${name}: not taken (${outcome.why}): ${outcome.said}`;
  return outcome.outcome === 'unchanged' ? `${name}: unchanged` : `${name}: somebody else is fetching it`;
}

function outcomeJson(outcome: RefreshOutcome): object {
  const { name: subject, outcome: kind } = outcome;
  if (kind === 'changed')
    return { list: subject, outcome: kind, entries: outcome.entries, passed_over: outcome.passedOver };
  return kind === 'refused'
    ? { list: subject, outcome: kind, why: outcome.why, refusal: outcome.said }
    : { list: subject, outcome: kind };
}

async function drop(name: ListName, context: CommandContext): Promise<CommandOutput> {
  if (!(await (await rowsOf(context)).drop(name, context.operator)))
    throw new CommandError(`no fetched list is in force for ${name}`);
  const again = 'It is fetched again as long as LIST_URLS names it.';
  return {
    json: { list: name, outcome: 'dropped' },
    text: `${name}: the shipped list counts alone, everywhere within 5 seconds. ${again}`,
  };
}

function age(seconds: number): string {
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
