import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDisposableLists } from '../../src/engine/signals/load-signal-lists.js';
import { NameTable } from '../../src/engine/signals/name-table.js';

const root = join(__dirname, '..', '..');

/** Loads a program without settings, as the build does, and says of each chunk whether V8 refused its bytecode; null where there was none. */
const LOAD = `
  const vm = require('node:vm');
  const refused = [];
  vm.Script = class extends vm.Script {
    constructor(...args) {
      super(...args);
      refused.push(this.cachedDataRejected);
    }
  };
  process.on('exit', () => require('node:fs').writeSync(3, JSON.stringify(refused)));
  process.argv.splice(1, 0, 'program');
`;

function load(program: string, ...flags: string[]): { refused: (boolean | null)[]; text: string } {
  const { output } = spawnSync(process.execPath, [...flags, '-e', `${LOAD} require('./dist/${program}.js')`], {
    cwd: root,
    env: {},
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const [, stdout, stderr, refused] = output as string[];
  return { refused: JSON.parse(refused!) as (boolean | null)[], text: `${stdout}${stderr}` };
}

describe('the code cache of the build', () => {
  it.each(['main', 'worker', 'console', 'cli'])('serves every chunk that dist/%s loads when it starts', (program) => {
    const { refused } = load(program);
    expect(refused.length).toBeGreaterThan(3);
    expect(refused.filter((one) => one !== false)).toEqual([]);
  });

  it('is not needed: V8 with other flags refuses it, and the program starts', () => {
    const { refused, text } = load('main', '--stack-size=800');
    expect(refused.filter((one) => one !== true)).toEqual([]);
    expect(text).toMatch(/^DATABASE_URL: is required/);
  });

  it('is left aside for stack traces with lines of the modules', () => {
    const fault = "require('./dist/code-cache.js').keepCode(['no-program'])";
    const { stderr } = spawnSync(process.execPath, ['--enable-source-maps', '-e', fault], {
      cwd: root,
      encoding: 'utf8',
    });
    expect(stderr).toMatch(/at \w+\.keepCode \(.*src\/code-cache\.ts:\d+:\d+\)/);
    expect(load('main', '--enable-source-maps').refused).toEqual([]);
  });

  it('is of chunks that V8 can hold with one octet for each character', () => {
    const folder = join(root, 'dist', 'chunks');
    const chunks = readdirSync(folder).filter((name) => name.endsWith('.js'));
    expect(chunks.filter((name) => /[^\0-\xff]/.test(readFileSync(join(folder, name), 'utf8')))).toEqual([]);
  });
});

describe('the table of disposable domains of the build', () => {
  it('holds the names of the published lists and no others', () => {
    const table = NameTable.restore(readFileSync(join(root, 'dist', 'chunks', 'disposable-domains.table')));
    const names = readDisposableLists().flatMap((list) => JSON.parse(list.toString()) as string[]);
    // A look-up asks for A-labels only.
    const listed = new Set(names.filter((name) => /^[\x20-\x7e]+$/.test(name)));
    expect([...listed].filter((name) => !table.has(name))).toEqual([]);
    const others = [...listed].map((name) => name.slice(1)).filter((name) => !listed.has(name));
    expect(others.filter((name) => table.has(name))).toEqual([]);
  });
});
