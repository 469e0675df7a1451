import { ExpiredAnswersTask } from './expired-answers.task.js';
import { LedgerClosingTask } from './ledger-closing.task.js';

const never = new AbortController().signal;
const stopped = AbortSignal.abort();

describe('deleting expired answers', () => {
  it('goes on until there are none left', async () => {
    const left = [500, 500, 7];
    const asked: number[] = [];
    const task = new ExpiredAnswersTask({
      deleteExpired: async (limit) => {
        asked.push(limit);
        return left.shift() ?? 0;
      },
    });
    await task.run(never);
    expect(asked).toHaveLength(3);
  });

  it('does nothing any more when the process stops', async () => {
    const deleteExpired = jest.fn(async () => 500);
    await new ExpiredAnswersTask({ deleteExpired }).run(stopped);
    expect(deleteExpired).not.toHaveBeenCalled();
  });
});

describe('closing months', () => {
  const closingsOf = (accounts: string[]) => {
    const closed: string[] = [];
    return {
      closed,
      lastMonth: async () => 202610,
      unclosed: async (_: number, limit: number) => accounts.filter((id) => !closed.includes(id)).slice(0, limit),
      close: async (id: string, month: number) => void closed.push(month === 202610 ? id : 'wrong month'),
    };
  };

  it('closes the last month of every account, however many there are', async () => {
    const accounts = Array.from({ length: 450 }, (_, i) => `a${i}`);
    const closings = closingsOf(accounts);
    await new LedgerClosingTask(closings).run(never);
    expect(closings.closed).toEqual(accounts);
  });

  it('leaves the rest for next time when the process stops', async () => {
    const closings = closingsOf(['a', 'b']);
    await new LedgerClosingTask(closings).run(stopped);
    expect(closings.closed).toEqual([]);
  });
});
