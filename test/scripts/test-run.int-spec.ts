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
    const counted = { path, passed: 2, failed: 1, skipped: 2, ms: 2500 };
    expect(await read([file(path, statuses)], 1)).toMatchObject([counted]);
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

  it('names each failed test with the first line of its message', async () => {
    const path = 'test/dns/one.lab-spec.ts';
    const red = {
      status: 'failed',
      fullName: 'DNS ends',
      failureMessages: ['\u001B[31mError: late\u001B[39m\n    at x'],
    };
    const failed = await read([file(path, [], { status: 'failed', assertionResults: [red] })], 1);
    expect(failed).toMatchObject([{ failures: [{ test: 'DNS ends', message: 'Error: late' }] }]);
    const unread = await read(
      [file(path, [], { status: 'failed', message: '  ● Suite failed\n\n    Cannot find it' })],
      1,
    );
    expect(unread).toMatchObject([{ failures: [{ test: 'the file itself', message: 'Cannot find it' }] }]);
  });

  describe('a second run of failed files', () => {
    const failures = [{ test: 'a', message: 'late' }];
    const late = { path: 'src/late.spec.ts', passed: 4, failed: 1, skipped: 0, ms: 10, failures };
    const good = { path: 'src/good.spec.ts', passed: 2, failed: 0, skipped: 0, ms: 10 };
    const choose = (files: object[]) => callScriptFunction('jest-run.mjs', 'filesToRunAgain', files);
    const after = (files: object[], alone: object[]) =>
      callScriptFunction('jest-run.mjs', 'afterSecondRun', files, alone);

    it('is given to five at most, and to none if the run itself failed', async () => {
      const many = Array.from({ length: 6 }, (_, i) => ({ ...late, path: `src/${i}.spec.ts` }));
      expect(await choose([good, late])).toEqual([late.path]);
      expect(await choose(many)).toEqual([]);
      expect(await choose([late, runFailed])).toEqual([]);
    });

    it('relieves a file that passes whole, and still names what failed', async () => {
      const passed = { ...late, passed: 5, failed: 0, ms: 5, failures: undefined };
      const relieved = { path: late.path, passed: 5, failed: 0, ms: 15, flaky: 1, failures };
      expect(await after([good, late], [passed])).toMatchObject([good, relieved]);
    });

    it.each([
      ['fails again', { ...late, ms: 5 }],
      ['has fewer tests than before', { ...late, passed: 3, failed: 0 }],
      ['was not found', { ...late, path: 'src/other.spec.ts', failed: 0, passed: 5 }],
    ])('leaves a file failed that %s', async (_how, second) => {
      expect(await after([late], [second])).toEqual([late]);
    });

    it('is told of in a table and in the last line', async () => {
      const stages = [
        {
          passed: 5,
          failed: 1,
          skipped: 0,
          flaky: 1,
          files: [
            { ...late, flaky: 1 },
            { ...late, path: 'b' },
          ],
        },
      ];
      const lines = String(await callScriptFunction('summary.mjs', 'failureTable', stages)).split('\n');
      expect(lines.slice(2).map((line) => line.trim().split(/ {2,}/))).toEqual([
        ['passed alone', late.path, 'a', 'late'],
        ['failed', 'b', 'a', 'late'],
      ]);
      expect(await callScriptFunction('summary.mjs', 'closingLine', stages)).toBe('5 passed, 1 failed, 1 flaky');
      expect(await callScriptFunction('summary.mjs', 'failureTable', [{ passed: 1 }])).toBeNull();
    });
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
