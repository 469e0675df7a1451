import { isInstalled, programsOf, runProgram } from '../support/doc-programs.js';
import { product, url } from './service.js';

const PAGES = ['quick-start.md', 'clients.md', 'mcp.md'];
const PROGRAMS = PAGES.flatMap((page) => programsOf(page).map((each) => ({ page, ...each })));

let environment: NodeJS.ProcessEnv;

beforeAll(async () => {
  environment = { MAILVET_URL: url, MAILVET_KEY: await product.createKey('test') };
});

it('every page has the programs that it promises', () => {
  expect(PROGRAMS.map(({ page, program }) => `${page} ${program}`)).toEqual([
    'quick-start.md sh',
    'quick-start.md node',
    'quick-start.md python3',
    'clients.md node',
    'mcp.md node',
  ]);
});

it.each(PROGRAMS)('$page: $program prints what the document says', async (each) => {
  if (!isInstalled(each)) {
    console.log(`skipped: ${each.program} is not installed`);
    return;
  }
  const { exit, stderr, stdout } = await runProgram(each, environment);
  expect({ exit, stderr, stdout: stdout.trimEnd() }).toEqual({ exit: 0, stderr: '', stdout: each.printed.trimEnd() });
});
