import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { environment, type VariableName } from '../../src/platform/config/environment.js';
import { ENGINE_VARIABLES, READ_BY } from '../../src/platform/config/load-config.js';

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

describe('docs/configuration.md', () => {
  const names = Object.keys(environment.shape) as VariableName[];

  it('lists exactly the variables of the schema, each once', () => {
    expect([...documented.keys()]).toEqual(names);
    expect(DOCUMENT.match(/^\| `[A-Z_]+`/gm)).toHaveLength(names.length);
  });

  it.each(names)('shows the default of %s', (name) => {
    const meta = environment.shape[name].meta();
    expect(documented.get(name)?.default).toBe(meta?.['default'] ?? 'required');
  });

  it.each(names)('shows which process reads %s', (name) => {
    const readers = {
      A: READ_BY.api,
      W: READ_BY.worker,
      S: READ_BY.console,
      // The command that verifies needs no database, and those that manage rows no engine.
      C: [...READ_BY.cli, ...ENGINE_VARIABLES],
    };
    const letters = Object.entries(readers).flatMap(([letter, read]) => (read.includes(name) ? [letter] : []));
    expect(documented.get(name)?.readBy).toBe(letters.join(' '));
  });

  it('shows the fault lines that the program prints', () => {
    const outcome = environment.safeParse({ PORT: 'abc' });
    const lines = outcome.error?.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`);
    expect(lines).toHaveLength(2);
    for (const line of lines ?? []) expect(DOCUMENT).toContain(`\n${line}\n`);
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
  ]);

  it('reads every other variable of the schema under the same name', () => {
    const table = readFileSync(SPECIFICATION, 'utf8').split('## Environment')[1]?.split('\n## ')[0] ?? '';
    const contract = new Set(table.match(/(?<=`)[A-Z][A-Z_]+(?=`)/g));
    expect(Object.keys(environment.shape).filter((name) => !contract.has(name) && !ADDED.has(name))).toEqual([]);
  });
});
