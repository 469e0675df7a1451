import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { buildProgram } from '../../src/roles/cli.js';
import { leavesOf } from '../../src/roles/cli-commands.js';
import { CliContext } from '../../src/roles/cli-context.js';
import { CliOutput } from '../../src/roles/cli-output.js';

const output = new CliOutput(() => undefined);
const commands = leavesOf(buildProgram(new CliContext('node dist/cli', output), output));

/** As the documentation writes it: `key rotate <key> [--grace <period>]`. */
function synopsis(command: Command): string {
  const path: string[] = [];
  for (let part: Command | null = command; part?.parent; part = part.parent) path.unshift(part.name());
  const given = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  const options = command.options
    .filter((option) => option.long !== '--json')
    .map((option) => (option.mandatory ? option.flags : `[${option.flags}]`));
  return [...path, ...given, ...options].join(' ');
}

it('docs/operator-command.md lists exactly the commands, arguments and options', () => {
  const text = readFileSync(join(__dirname, '../../docs/operator-command.md'), 'utf8');
  const documented = [...text.matchAll(/^\| `([^`]+)` \|/gm)].map(([, command = '']) => command);
  expect(documented.sort()).toEqual(commands.map(synopsis).sort());
});

it.each(commands.map((command) => [synopsis(command), command] as const))(
  '%s accepts --json and has a description',
  (_, command) => {
    expect(command.options.map(({ long }) => long)).toContain('--json');
    expect(command.description()).not.toBe('');
    for (const { description } of [...command.options, ...command.registeredArguments])
      expect(description).not.toBe('');
  },
);
