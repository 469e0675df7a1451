import { join, resolve } from 'node:path';
import { callScriptFunction } from './script-function.js';

describe('the counting of npm test', () => {
  const root = resolve(__dirname, '..', '..');
  const file = (path: string, statuses: string[], more: object = {}) => ({
    name: join(root, path),
    status: statuses.includes('failed') ? 'failed' : 'passed',
    startTime: 1000,
    endTime: 3500,
    assertionResults: statuses.map((status) => ({ status })),
    ...more,
  });
  const read = (testResults: object[] | null, exitCode: number | null) =>
    callScriptFunction('jest-run.mjs', 'readFiles', testResults && JSON.stringify({ testResults }), exitCode);
  const runFailed = { path: '', passed: 0, failed: 1, skipped: 0, ms: 0 };

  it('counts the tests of each file', async () => {
    const path = 'src/engine/one.spec.ts';
    const statuses = ['passed', 'passed', 'failed', 'pending', 'todo'];
    expect(await read([file(path, statuses)], 1)).toEqual([{ path, passed: 2, failed: 1, skipped: 2, ms: 2500 }]);
  });

  it('counts a file that could not be run as a failure', async () => {
    const path = 'test/dns/one.lab-spec.ts';
    expect(await read([file(path, [], { status: 'failed' })], 1)).toMatchObject([{ path, passed: 0, failed: 1 }]);
    expect(await read([file(path, ['passed'], { status: 'failed' })], 1)).toMatchObject([{ passed: 1, failed: 1 }]);
  });

  it('counts a run without a report, or with a truncated one, as a failure', async () => {
    expect(await read(null, 0)).toEqual([runFailed]);
    expect(await callScriptFunction('jest-run.mjs', 'readFiles', '{"numPassed', 0)).toEqual([runFailed]);
  });

  it('counts a bad exit without a failed test as a failure', async () => {
    expect(await read([file('src/one.spec.ts', ['passed'])], null)).toMatchObject([
      { passed: 1, failed: 0 },
      runFailed,
    ]);
  });

  it('adds the files up by kind, and counts a failure of the run apart', async () => {
    const files = [
      { path: 'src/a.spec.ts', passed: 1, failed: 0, skipped: 0, ms: 5 },
      { path: 'src/b.spec.ts', passed: 2, failed: 1, skipped: 0, ms: 6 },
      { path: 'test/smtp/c.lab-spec.ts', passed: 4, failed: 0, skipped: 3, ms: 7 },
    ];
    const stages = (...given: object[]) =>
      callScriptFunction('jest-run.mjs', 'stagesByKind', given, ['unit', 'lab', 'e2e']);
    const counted = [
      { name: 'unit', passed: 3, failed: 1, skipped: 0, ms: 11 },
      { name: 'lab', passed: 4, failed: 0, skipped: 3, ms: 7 },
      { name: 'e2e', passed: 0, failed: 0, skipped: 0, ms: 0 },
    ];
    expect(await stages(...files)).toMatchObject(counted);
    expect(await stages(...files, runFailed)).toMatchObject([...counted, { name: 'jest', failed: 1 }]);
  });

  it('shows the slowest files of all stages first', async () => {
    const files = Array.from({ length: 40 }, (_, i) => ({ path: `src/f${i}.spec.ts`, ms: i * 1000 }));
    const stages = [
      { name: 'check', ms: 1 },
      { name: 'unit', ms: 2, files },
    ];
    const lines = String(await callScriptFunction('summary.mjs', 'slowestTable', stages)).split('\n');
    expect(lines.slice(2)).toHaveLength(30);
    expect(lines[2]).toMatch(/unit +src\/f39\.spec\.ts +39\.0 s/);
  });

  it.each<[number | null, string]>([
    [0, 'passed'],
    [1, 'failed'],
    [null, 'failed'],
    [75, 'skipped'],
  ])('counts a check that ended with %s as %s', async (code, outcome) => {
    expect(await callScriptFunction('check-steps.mjs', 'outcomeOf', code)).toBe(outcome);
  });

  it('sums up the stages in the last line', async () => {
    const close = (...stages: object[]) => callScriptFunction('summary.mjs', 'closingLine', stages);
    const unit = { passed: 3, failed: 0, skipped: 0 };
    expect(await close(unit, { passed: 2, failed: 1, skipped: 0 })).toBe('5 passed, 1 failed');
    expect(await close(unit, { passed: 0, failed: 0, skipped: 4 })).toBe('3 passed, 0 failed, 4 skipped');
  });

  it('fails if anything failed, and if nothing ran', async () => {
    const exit = (...stages: object[]) => callScriptFunction('summary.mjs', 'exitCodeOf', stages);
    expect(await exit({ passed: 3, failed: 0 })).toBe(0);
    expect(await exit({ passed: 3, failed: 0 }, { passed: 0, failed: 1 })).toBe(1);
    expect(await exit({ passed: 0, failed: 0 })).toBe(1);
    expect(await exit()).toBe(1);
  });
});

describe('the arguments of npm test', () => {
  const parse = (...args: string[]) => callScriptFunction('test-arguments.mjs', 'parseTestArguments', args);

  it('runs everything without arguments', async () => {
    expect(await parse()).toEqual({
      stages: ['check', 'unit', 'lab', 'integration', 'contract', 'e2e', 'browser', 'mta', 'runtimes'],
      filter: [],
      needsServers: true,
    });
  });

  it('runs the requested stages, in the usual order, and starts only servers that they use', async () => {
    expect(await parse('--only', 'unit,check')).toEqual({ stages: ['check', 'unit'], filter: [], needsServers: false });
  });

  it('passes a part of a file name on and skips the checks', async () => {
    expect(await parse('reply-parser')).toMatchObject({ filter: ['reply-parser'] });
    for (const stage of ['check', 'runtimes']) {
      expect(await parse('reply-parser')).not.toMatchObject({ stages: expect.arrayContaining([stage]) });
    }
  });

  it.each([['--only', 'units'], ['--onyl', 'unit'], ['--only']])('refuses %s %s', async (...args) => {
    await expect(parse(...args)).rejects.toThrow(/Usage: npm test/);
  });
});
