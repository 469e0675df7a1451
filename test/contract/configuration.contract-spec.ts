import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { listVariables, loadConfig } from '../../src/platform/config/load-config.js';

const ROOT = resolve(__dirname, '../..');
const DOCUMENT = readFileSync(resolve(ROOT, 'docs/configuration.md'), 'utf8');
const SPECIFICATION = resolve(ROOT, '../shared/spec/operations.md');

interface Row {
  readonly default: string;
  readonly readBy: string;
}

const documented = new Map<string, Row>(
  [...DOCUMENT.matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \| ([^|]+) \|/gm)].map(
    ([, name = '', byDefault = '', readBy = '']) => [
      name,
      { default: byDefault.trim().replaceAll('`', ''), readBy: readBy.trim() },
    ],
  ),
);

const variables = listVariables();
const names = [...variables.keys()];
/** The command that verifies needs no database, and those that manage rows no engine. */
const LETTERS = { api: 'A', worker: 'W', console: 'S', cli: 'C', engine: 'C' };

describe('docs/configuration.md', () => {
  it('lists exactly the variables of the product, each once', () => {
    expect([...documented.keys()].sort()).toEqual(names.toSorted());
    expect(DOCUMENT.match(/^\| `[A-Z_]+`/gm)).toHaveLength(names.length);
  });

  it.each(names)('shows the default of %s', (name) => {
    expect(documented.get(name)?.default).toBe(variables.get(name)?.default ?? 'required');
  });

  it.each(names)('shows which process reads %s', (name) => {
    // Both kinds of commands have one letter.
    const letters = new Set(variables.get(name)!.readBy.map((reader) => LETTERS[reader]));
    expect(documented.get(name)?.readBy).toBe([...letters].join(' '));
  });

  it('shows the fault lines that the program prints', () => {
    const lines = /^\$ PORT=abc DATABASE_URL= node dist\/main\n([^]*?)```/m.exec(DOCUMENT)?.[1]?.trimEnd();
    expect(lines?.split('\n')).toHaveLength(2);
    expect(() => loadConfig('api', { PORT: 'abc', DATABASE_URL: '' })).toThrow(new Error(lines));
  });
});

(existsSync(SPECIFICATION) ? describe : describe.skip)('the operations contract', () => {
  /** More may be added to the contract, none renamed. */
  const ADDED = new Set([
    'SMTP_MAX_CONNECTIONS',
    'SMTP_RECIPIENTS_PER_MINUTE',
    'SMTP_CHECK_DOMAINS',
    'NODE_ENV',
    'CONSOLE_METRICS_PORT',
    'SMTP_PROBE_QUEUES',
  ]);

  it('reads every other variable of the product under the same name', () => {
    const table = readFileSync(SPECIFICATION, 'utf8').split('## Environment')[1]?.split('\n## ')[0] ?? '';
    const contract = new Set(table.match(/(?<=`)[A-Z][A-Z_]+(?=`)/g));
    expect(names.filter((name) => !contract.has(name) && !ADDED.has(name))).toEqual([]);
  });
});
