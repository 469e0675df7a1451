import type { GuardEventsRepository } from './guard-events.repository.js';
import { OldEventsTask } from './old-events.task.js';

function taskOver(deleteOlderThan: () => Promise<number>): OldEventsTask {
  return new OldEventsTask({ deleteOlderThan } as unknown as GuardEventsRepository);
}

describe('deleting old guard events', () => {
  it('continues until a statement deletes less than its maximum', async () => {
    const left = [1000, 1000, 3];
    await taskOver(async () => left.shift()!).run(new AbortController().signal);
    expect(left).toEqual([]);
  });

  it('ends after the current statement when the process stops', async () => {
    const stop = new AbortController();
    const deleteOlderThan = jest.fn(async () => {
      stop.abort();
      return 1000;
    });
    await taskOver(deleteOlderThan).run(stop.signal);
    expect(deleteOlderThan).toHaveBeenCalledTimes(1);
  });
});
