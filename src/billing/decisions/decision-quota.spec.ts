import { Logger } from '@nestjs/common';
import { DecisionQuota, type DecisionAllowance } from './decision-quota.js';

const ACME: DecisionAllowance = { accountId: 'acme', month: 202611, perMonth: 5 };

/** A quota on counts that the test answers by hand: each statement is `[account, wanted]` and its reply. */
function scene() {
  const statements: { asked: [string, number]; reply: (counted: number) => void; fail: (error: Error) => void }[] = [];
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const quota = new DecisionQuota({
    take: (accountId, _month, wanted) =>
      new Promise((reply, fail) => statements.push({ asked: [accountId, wanted], reply, fail })),
    giveBack: () => Promise.reject(new Error('no database')),
    used: () => new Promise(() => undefined),
  });
  return { quota, statements, logged };
}
afterEach(() => jest.restoreAllMocks());
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('DecisionQuota', () => {
  it('counts those that come together in one statement, and the first of them go first', async () => {
    const { quota, statements } = scene();
    const calls = [1, 2, 3].map(() => quota.take(ACME));
    await turn();
    expect(statements.map(({ asked }) => asked)).toEqual([['acme', 3]]);
    statements[0]!.reply(2);
    expect(await Promise.all(calls)).toEqual([true, true, false]);
  });

  it('has one statement of an account under way, and lets others pass', async () => {
    const { quota, statements } = scene();
    const first = quota.take(ACME);
    await turn();
    const second = [quota.take(ACME), quota.take(ACME)];
    const other = quota.take({ ...ACME, accountId: 'other' });
    await turn();
    expect(statements.map(({ asked }) => asked)).toEqual([
      ['acme', 1],
      ['other', 1],
    ]);
    statements[1]!.reply(1);
    expect(await other).toBe(true);
    statements[0]!.reply(1);
    expect(await first).toBe(true);
    await turn();
    expect(statements[2]!.asked).toEqual(['acme', 2]);
    statements[2]!.reply(0);
    expect(await Promise.all(second)).toEqual([false, false]);
  });

  it('tells everybody of a statement that failed, and goes on', async () => {
    const { quota, statements } = scene();
    const calls = [quota.take(ACME), quota.take(ACME)];
    await turn();
    statements[0]!.fail(new Error('gone'));
    expect((await Promise.allSettled(calls)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const next = quota.take(ACME);
    await turn();
    statements[1]!.reply(1);
    expect(await next).toBe(true);
  });

  it('keeps a plan that was just changed apart: each call is held to its own quota', async () => {
    const { quota, statements } = scene();
    void quota.take(ACME);
    void quota.take({ ...ACME, perMonth: 50 });
    await turn();
    expect(statements).toHaveLength(2);
  });

  it('says what could not be given back, and lets nobody wait for it', async () => {
    const { quota, logged } = scene();
    quota.giveBack(ACME);
    await turn();
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it('does not wait for a count that the database does not tell', async () => {
    jest.useFakeTimers();
    const asked = Promise.allSettled([scene().quota.used('acme', 202611)]);
    await jest.advanceTimersByTimeAsync(1000);
    expect(await asked).toMatchObject([{ status: 'rejected', reason: { code: 'service_unavailable' } }]);
    jest.useRealTimers();
  });
});
