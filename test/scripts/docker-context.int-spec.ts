import { callScriptFunction } from './script-function.js';

const RULES = '# images\n*\n!src\n!docker/healthcheck.mjs\n**/*.spec.ts\n';

async function ignored(path: string): Promise<unknown> {
  const rules = await callScriptFunction('docker-context.mjs', 'parseIgnoreFile', RULES);
  return callScriptFunction('docker-context.mjs', 'isIgnored', rules, path);
}

describe('the contents of an image', () => {
  it.each([
    ['src/main.ts', false],
    ['src/auth/api-key.ts', false],
    ['src/auth/api-key.spec.ts', true],
    ['docker/healthcheck.mjs', false],
    ['docker/compose.yml', true],
    ['.env', true],
    ['.local/test/secret', true],
  ])('omit %s: %s', async (path, expected) => {
    expect(await ignored(path)).toBe(expected);
  });

  it('are the files needed to build, without tests, data and history', async () => {
    const files = (await callScriptFunction('docker-context.mjs', 'contextFiles')) as string[];
    expect(files).toEqual(
      expect.arrayContaining(['package-lock.json', 'src/main.ts', 'src/worker.ts', 'src/cli.ts', 'tsconfig.json']),
    );
    expect(files.filter((file) => /^(\.|test\/|bench\/|dist\/|node_modules\/)|\.spec\.ts$/.test(file))).toEqual([]);
  });
});
