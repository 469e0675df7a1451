import { Logger } from '@nestjs/common';
import { only } from '../../../test/factories/only.js';
import type { DecisionsUsed } from './decision-counts.repository.js';
import { ExhaustedQuotas } from './exhausted-quotas.js';
import { DecisionQuota, type DecisionAllowance } from './decision-quota.js';

const ACME: DecisionAllowance = { accountId: 'acme', month: 202611, perMonth: 5 };

/** A quota on counts that the test answers by hand: each statement is `[account, wanted]` and its reply. */
function scene() {
  const statements: { asked: [string, number]; reply: (counted: number) => void; fail: (error: Error) => void }[] = [];
  const reads: { asked: (string | number)[]; reply: (counts: DecisionsUsed[]) => void }[] = [];
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const exhausted: unknown[] = [];
  const quota = new DecisionQuota(
    {
      take: (accountId, _month, wanted) =>
        new Promise((reply, fail) => statements.push({ asked: [accountId, wanted], reply, fail })),
      giveBack: () => Promise.reject(new Error('no database')),
      used: (accountIds, months) => new Promise((reply) => reads.push({ asked: [...accountIds, ...months], reply })),
    },
    { note: (...noted) => void exhausted.push(noted) },
  );
  return { quota, statements, reads, logged, exhausted };
}
afterEach(() => jest.restoreAllMocks());
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('DecisionQuota', () => {
  it('counts concurrent calls in one statement, in order of arrival', async () => {
    const { quota, statements } = scene();
    const calls = [1, 2, 3].map(() => quota.take(ACME));
    await turn();
    expect(statements.map(({ asked }) => asked)).toEqual([['acme', 3]]);
    statements[0]!.reply(2);
    expect(await Promise.all(calls)).toEqual([true, true, false]);
  });

  it('notes a quota that is used up when it refuses a call, and no other', async () => {
    const { quota, statements, exhausted } = scene();
    const all = [quota.take(ACME), quota.take(ACME)];
    await turn();
    statements[0]!.reply(2);
    await Promise.all(all);
    expect(exhausted).toEqual([]);
    const refused = quota.take(ACME);
    await turn();
    statements[1]!.reply(0);
    expect(await refused).toBe(false);
    expect(exhausted).toEqual([['acme', 202611, 5]]);
  });

  it('runs one statement per account, beside those of other accounts', async () => {
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

  it('rejects every caller of a failed statement, and continues', async () => {
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

  it('counts calls under an old and a new plan separately, each against its own quota', async () => {
    const { quota, statements } = scene();
    void quota.take(ACME);
    void quota.take({ ...ACME, perMonth: 50 });
    await turn();
    expect(statements).toHaveLength(2);
  });

  it('logs a failed refund, which nobody waits for', async () => {
    const { quota, logged } = scene();
    quota.giveBack(ACME);
    await turn();
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it('reads the counts of all calls of one turn in one statement, each for its account and month', async () => {
    const { quota, reads } = scene();
    const used = [quota.used('acme', 202611), quota.used('other', 202611), quota.used('acme', 202612)];
    await turn();
    expect(reads.map(({ asked }) => asked)).toEqual([['acme', 'other', 202611, 202612]]);
    reads[0]!.reply([
      { accountId: 'acme', month: 202611, used: 3 },
      { accountId: 'other', month: 202612, used: 9 },
      { accountId: 'acme', month: 202612, used: 4 },
    ]);
    expect(await Promise.all(used)).toEqual([3, 0, 4]);
  });

  it('gives up on a database that does not answer', async () => {
    jest.useFakeTimers();
    const asked = Promise.allSettled([scene().quota.used('acme', 202611)]);
    await jest.advanceTimersByTimeAsync(1001);
    expect(await asked).toMatchObject([{ status: 'rejected', reason: { code: 'service_unavailable' } }]);
    jest.useRealTimers();
  });
});

it('a used-up quota that could not be reported is reported by the next refused call, and then no more', async () => {
  jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  const reports: string[] = [];
  const due = [{ endpointId: 'e', accountId: 'acme' }];
  const report = async (accountId: string): Promise<typeof due> => {
    reports.push(accountId);
    if (reports.length === 1) throw new Error('no database');
    return due;
  };
  const queued: unknown[] = [];
  const quotas = new ExhaustedQuotas(only({ report }), only({ queueEndpoints: (some) => void queued.push(some) }));
  for (let refused = 0; refused < 3; refused++) {
    quotas.note('acme', 202611, 5);
    await turn();
  }
  expect([reports, queued]).toEqual([['acme', 'acme'], [due]]);
});
