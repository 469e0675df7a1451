import { InvalidArgumentError, type Command } from 'commander';
import type { CommandContext, CommandOutput } from '../platform/cli/command-context.js';
import { CommandError } from '../platform/cli/command-error.js';
import { fields, table } from '../platform/cli/table.js';
import { typedValue, wholeNumber } from '../platform/cli/typed-value.js';
import type { Plan } from './caller.js';
import { figuresToJson, figuresToText, LEAST_PLAN, PLAN_FIGURES } from './plan-figures.js';
import type { PlanChange } from './plan.repository.js';

const MAX_RATE = 1_000_000;
const MAX_FIGURE = 1_000_000_000;
const UNLIMITED = 'unlimited';

type Flag = (typeof PLAN_FIGURES)[number]['flag'];
type Figures = Partial<Record<Flag, number | typeof UNLIMITED>>;

const newPlanName = typedValue(
  'must be 1 to 32 lower-case letters, digits and hyphens, and begin with a letter',
  (text) => (/^[a-z][a-z0-9-]{0,31}$/.test(text) ? text : null),
);

/** `plan list|create|set`. */
export function registerPlanCommands(program: Command, context: CommandContext): void {
  const plan = program.command('plan').description('plans, which limit accounts');

  plan
    .command('list')
    .description('list all plans, the smallest rate first')
    .action(context.action(async () => list(await (await repository(context)).list())));

  const create = plan
    .command('create')
    .description('create a plan; missing limits are those of `free`')
    .argument('<name>', 'name of the new plan', newPlanName);
  addFigures(create, true);
  create.action(
    context.action(async (name: string, figures: Figures) => {
      const change = toChange(figures);
      const made: Plan = { ...LEAST_PLAN, name, requestsPerMinute: 1, ...change };
      if (await (await repository(context)).insert(made, context.operator)) return show(made);
      throw new CommandError(`a plan has this name. To change it, type: ${context.programName} plan set ${name}`);
    }),
  );

  const set = plan
    .command('set')
    .description('change limits of a plan in every process within 5 seconds; usage stays')
    .argument('<name>', 'name of the plan');
  addFigures(set, false);
  set.action(
    context.action(async (name: string, figures: Figures) => {
      const change = toChange(figures);
      if (Object.keys(change).length === 0) {
        const flags = PLAN_FIGURES.map(({ flag }) => `--${flag}`).join(', ');
        throw new CommandError(`no change was given. Use one or more of ${flags}`);
      }
      const plans = await repository(context);
      const changed = await plans.update(name, change, context.operator);
      if (changed !== null) return show(changed);
      const names = (await plans.list()).map((each) => each.name).join(', ');
      throw new CommandError(`no plan has this name. There are: ${names}`);
    }),
  );
}

function addFigures(command: Command, isNew: boolean): void {
  for (const { flag, description } of PLAN_FIGURES) {
    const option = `--${flag} <n>`;
    if (flag === 'rate' && isNew) command.requiredOption(option, description, wholeNumber(1, MAX_RATE));
    else command.option(option, description, flag === 'rate' ? wholeNumber(1, MAX_RATE) : numberOrUnlimited);
  }
}

function numberOrUnlimited(text: string): number | typeof UNLIMITED {
  if (text === UNLIMITED) return UNLIMITED;
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (value <= MAX_FIGURE) return value;
  throw new InvalidArgumentError(`must be a whole number from 0 to ${MAX_FIGURE}, or ${UNLIMITED}.`);
}

function toChange(figures: Figures): PlanChange {
  const named = PLAN_FIGURES.flatMap(({ flag, field }) => {
    const value = figures[flag];
    return value === undefined ? [] : [[field, value === UNLIMITED ? null : value] as const];
  });
  return Object.fromEntries(named);
}

async function repository(context: CommandContext) {
  const { PlanRepository } = await import('./plan.repository.js');
  return new PlanRepository(await context.database());
}

function toJson(plan: Plan) {
  return { name: plan.name, ...figuresToJson(plan) };
}

function show(plan: Plan): CommandOutput {
  return { json: toJson(plan), text: fields({ plan: plan.name, ...figuresToText(plan) }) };
}

function list(plans: readonly Plan[]): CommandOutput {
  const headings = ['PLAN', ...PLAN_FIGURES.map(({ label }) => label.toUpperCase())];
  const rows = plans.map((plan) => [plan.name, ...Object.values(figuresToText(plan))]);
  return { json: plans.map(toJson), text: table(headings, rows) };
}
