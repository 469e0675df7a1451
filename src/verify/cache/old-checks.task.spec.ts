import { OldChecksTask } from './old-checks.task.js';

describe('deleting old checks', () => {
  it('goes on until there are none left, then does the same for domains', async () => {
    const left = { checks: [true, true, false], domains: [500, 3], accepted: [0] };
    const task = new OldChecksTask({ deleteOld: async () => left.checks.shift()! }, [
      { deleteExpired: async () => left.domains.shift()! },
      { deleteExpired: async () => left.accepted.shift()! },
    ]);
    await task.run(new AbortController().signal);
    expect(left).toEqual({ checks: [], domains: [], accepted: [] });
  });

  it('ends after the batch under way when the process stops', async () => {
    const stop = new AbortController();
    const deleteExpired = jest.fn(async () => 500);
    const deleteOld = jest.fn(async () => {
      stop.abort();
      return true;
    });
    await new OldChecksTask({ deleteOld }, [{ deleteExpired }]).run(stop.signal);
    expect(deleteOld).toHaveBeenCalledTimes(1);
    expect(deleteExpired).not.toHaveBeenCalled();
  });
});
