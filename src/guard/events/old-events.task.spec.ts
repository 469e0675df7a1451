import { OldEventsTask } from './old-events.task.js';

describe('deleting old guard events', () => {
  it('goes on until fewer are left than go in one statement', async () => {
    const left = [1000, 1000, 3];
    await new OldEventsTask({ deleteOlderThan: async () => left.shift()! }).run(new AbortController().signal);
    expect(left).toEqual([]);
  });

  it('ends after the statement under way when the process stops', async () => {
    const stop = new AbortController();
    const deleteOlderThan = jest.fn(async () => {
      stop.abort();
      return 1000;
    });
    await new OldEventsTask({ deleteOlderThan }).run(stop.signal);
    expect(deleteOlderThan).toHaveBeenCalledTimes(1);
  });
});
