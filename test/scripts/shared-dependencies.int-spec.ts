import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { runProcess } from '../support/processes.js';

const root = join(__dirname, '..', '..');
const { projects } = createRequire(__filename)('../../jest.config.js') as { projects: object[] };

/** Prints what it finds, and changes all of it: run twice, it tells what the first has left for the second. */
const FILE = `
const { executionAsyncResource } = require('node:async_hooks');
const { Session } = require('node:inspector');
const { Logger } = require('@nestjs/common');
const own = require('./own');

/** A context of Node before version 24. */
const isContext = (symbol) => symbol.description === 'kResourceStore';

function scripts(name) {
  const session = new Session();
  session.connect();
  let count = 0;
  session.on('Debugger.scriptParsed', ({ params }) => (count += name.test(params.url)));
  session.post('Debugger.enable');
  session.disconnect();
  return count;
}

it('runs', async () => {
  await null;
  const found = {
    dependency: Boolean(Logger.marked),
    own: Boolean(own.marked),
    isSilenced: Logger.staticInstanceRef === undefined,
    added: 'left' in globalThis,
    removed: globalThis.fetch === undefined,
    variable: 'LEFT' in process.env,
    listeners: process.listenerCount('left'),
    compiled: scripts(/own\\.js$/),
    line: own.line(),
    contexts: Object.getOwnPropertySymbols(executionAsyncResource()).filter(isContext).length,
  };
  require('node:fs').appendFileSync(__dirname + '/found', JSON.stringify(found) + '\\n');
  Logger.marked = own.marked = globalThis.left = true;
  Logger.overrideLogger(false);
  delete globalThis.fetch;
  process.env.LEFT = 'behind';
  process.on('left', () => {});
});
`;

/** Says where it is. */
const OWN = `exports.marked = false; exports.line = () => /own.js:\\d+:\\d+/.exec(new Error().stack)[0];`;

describe('two files that one process of jest runs', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(root, '.local', 'two-files-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('share what they depend on, what is compiled, and nothing that they change', async () => {
    const config = { ...projects[0], roots: [folder], testRegex: 'test\\.js$' };
    const jest = [join('node_modules', 'jest', 'bin', 'jest.js'), '--runInBand', '--config', JSON.stringify(config)];
    writeFileSync(join(folder, 'own.js'), OWN);
    writeFileSync(join(folder, 'one.test.js'), FILE);
    writeFileSync(join(folder, 'other.test.js'), FILE);
    const { code, stderr } = await runProcess(jest, {}, 200_000);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('2 passed') });
    const clean = { own: false, isSilenced: false, added: false, removed: false, variable: false, listeners: 0 };
    const module = { compiled: 1, line: `own.js:1:${OWN.indexOf('new Error') + 1}` };
    const lines = readFileSync(join(folder, 'found'), 'utf8').trimEnd().split('\n');
    const [first, second] = lines.map((line) => JSON.parse(line) as object);
    expect(first).toEqual({ dependency: false, contexts: expect.any(Number), ...clean, ...module });
    expect(second).toEqual({ ...first, dependency: true });
  });
});
