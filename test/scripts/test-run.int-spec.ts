import { callScriptFunction } from './script-function.js';

describe('the counting of npm test', () => {
  const report = (counts: object) =>
    JSON.stringify({
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      numRuntimeErrorTestSuites: 0,
      ...counts,
    });
  const count = (text: string | null, exitCode: number | null) =>
    callScriptFunction('jest-stage.mjs', 'countTests', text, exitCode);

  it('uses the numbers of the report', async () => {
    const text = report({ numPassedTests: 7, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 });
    expect(await count(text, 1)).toEqual({ passed: 7, failed: 2, skipped: 2 });
  });

  it('counts a file that could not be run as a failure', async () => {
    const text = report({ numPassedTests: 7, numRuntimeErrorTestSuites: 1 });
    expect(await count(text, 1)).toEqual({ passed: 7, failed: 1, skipped: 0 });
  });

  it('counts a stage without a report, or with a truncated one, as a failure', async () => {
    const failure = { passed: 0, failed: 1, skipped: 0 };
    expect(await count(null, 0)).toEqual(failure);
    expect(await count('{"numPassed', 0)).toEqual(failure);
  });

  it('counts a bad exit without a failed test as a failure', async () => {
    expect(await count(report({ numPassedTests: 7 }), null)).toEqual({ passed: 7, failed: 1, skipped: 0 });
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
      stages: ['check', 'unit', 'lab', 'integration', 'contract', 'e2e', 'mta', 'runtimes'],
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
