import { parseArgs } from 'node:util';
import type { Question } from './projection.js';

/** The command was given something that it does not understand. */
export class OptionFault extends Error {}

export interface Command extends Question {
  readonly json: boolean;
  readonly help: boolean;
}

interface Rule {
  readonly what: string;
  readonly usual: string;
  readonly least: number;
  readonly most: number;
  readonly isWhole: boolean;
}

const NUMBERS = {
  addresses: { what: 'addresses to verify, in jobs of 10,000', usual: '1e6', least: 1, most: 1e12, isWhole: true },
  days: { what: 'in how many days it should be done', usual: '30', least: 0.01, most: 3650, isWhole: false },
  egress: { what: 'ways out: source addresses or proxies', usual: '10', least: 1, most: 100_000, isWhole: true },
  workers: { what: 'worker processes', usual: 'as many as have work', least: 1, most: 100_000, isWhole: true },
  concurrency: { what: 'WORKER_CONCURRENCY', usual: "the product's", least: 1, most: 1000, isWhole: true },
  jobs: { what: 'jobs at once', usual: 'one for each way out', least: 1, most: 1e6, isWhole: true },
  probed: { what: 'share of addresses that need a probe', usual: '0.7', least: 0.01, most: 1, isWhole: false },
} as const satisfies Record<string, Rule>;

type Name = keyof typeof NUMBERS;

export const USAGE = [
  'npm run simulate -- [--addresses 1e9] [--days 30] [--egress 400] …',
  '',
  'How long the service takes for many addresses, and what it needs: a model that runs jobs event by event, under the',
  'limits, batches and waits of the product. docs/scale.md says what it assumes, and how it is held to reality.',
  '',
  ...Object.entries(NUMBERS).map(([name, { what, usual }]) => `  ${`--${name} N`.padEnd(17)} ${what} (${usual})`),
  `  ${'--json'.padEnd(17)} figures as JSON`,
  `  ${'--help'.padEnd(17)} this text`,
].join('\n');

/** @throws OptionFault with one sentence that names the option */
export function parseOptions(args: readonly string[], concurrency: number): Command {
  const values = read(args);
  const number = (name: Name): number | null => numberOf(name, values[name]);
  const egress = number('egress') ?? 10;
  return {
    addresses: number('addresses') ?? 1e6,
    days: number('days') ?? 30,
    egress,
    workers: number('workers'),
    concurrency: number('concurrency') ?? concurrency,
    jobsAtOnce: number('jobs') ?? egress,
    probed: number('probed') ?? 0.7,
    json: values.json === true,
    help: values.help === true,
  };
}

type Values = { readonly [name in Name]?: string } & { readonly json?: boolean; readonly help?: boolean };

function read(args: readonly string[]): Values {
  const numbers = Object.fromEntries(Object.keys(NUMBERS).map((name) => [name, { type: 'string' as const }]));
  try {
    const options = { ...numbers, json: { type: 'boolean' as const }, help: { type: 'boolean' as const } };
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new OptionFault(faultOf(error as Error & { code?: string }));
  }
}

function faultOf({ code, message }: Error & { code?: string }): string {
  const [, option = ''] = /'(--?[^' ]+)/.exec(message) ?? [];
  if (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE')
    return Object.hasOwn(NUMBERS, option.slice(2)) ? `${option} needs a number.` : `${option} takes no value.`;
  return `${message.split(/[.\n]/)[0]}.`;
}

function numberOf(name: Name, text: string | undefined): number | null {
  if (text === undefined) return null;
  const { least, most, isWhole } = NUMBERS[name];
  const number = /^\d+(\.\d+)?(e\d{1,2})?$/i.test(text) ? Number(text) : Number.NaN;
  if (number >= least && number <= most && (!isWhole || Number.isInteger(number))) return number;
  const kind = isWhole ? 'a whole number' : 'a number';
  throw new OptionFault(`--${name} must be ${kind} from ${least} to ${most}, such as 100 or 1e3, not "${text}".`);
}
