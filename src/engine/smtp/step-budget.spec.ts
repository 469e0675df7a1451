import { stepBudgetMs, stepLimitMs } from './step-budget.js';

describe('stepBudgetMs', () => {
  it('is the limit of the step while there is time', () => {
    expect(stepBudgetMs(5_000, 60_000, true)).toBe(5_000);
  });

  it('keeps a quarter of the time left for the other hosts', () => {
    expect(stepBudgetMs(40_000, 8_000, true)).toBe(6_000);
  });

  it('gives the last host all the time left', () => {
    expect(stepBudgetMs(40_000, 8_000, false)).toBe(8_000);
  });

  it('lets the best of several hosts greet late in a long check', () => {
    expect(stepBudgetMs(40_000, 60_000, true)).toBe(40_000);
  });
});

describe('stepLimitMs', () => {
  const limits = { connectTimeoutMs: 5_000, greetingTimeoutMs: 40_000, commandTimeoutMs: 15_000 };

  it('is the limit of a command', () => {
    expect(stepLimitMs(limits, 'rcpt')).toBe(15_000);
  });

  it('gives a host a second for each further command of a write', () => {
    expect(stepLimitMs(limits, 'mail', 20)).toBe(35_000);
  });
});
