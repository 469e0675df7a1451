import type { AcceptedRecipientsRepository } from '../../domains/accepted/accepted-recipients.repository.js';
import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { CheckCacheRepository } from './check-cache.repository.js';
import { OldChecksTask } from './old-checks.task.js';

function taskOver(
  checks: Pick<CheckCacheRepository, 'deleteOld'>,
  catchAlls: Pick<CatchAllRepository, 'deleteExpired'>,
  accepted: Pick<AcceptedRecipientsRepository, 'deleteExpired'>,
): OldChecksTask {
  return new OldChecksTask(
    checks as CheckCacheRepository,
    catchAlls as CatchAllRepository,
    accepted as AcceptedRecipientsRepository,
  );
}

describe('deleting old checks', () => {
  it('continues until none is left, then does the same for domains', async () => {
    const left = { checks: [true, true, false], domains: [500, 3], accepted: [0] };
    const task = taskOver(
      { deleteOld: async () => left.checks.shift()! },
      { deleteExpired: async () => left.domains.shift()! },
      { deleteExpired: async () => left.accepted.shift()! },
    );
    await task.run(new AbortController().signal);
    expect(left).toEqual({ checks: [], domains: [], accepted: [] });
  });

  it('ends after the current batch when the process stops', async () => {
    const stop = new AbortController();
    const deleteExpired = jest.fn(async () => 500);
    const deleteOld = jest.fn(async () => {
      stop.abort();
      return true;
    });
    await taskOver({ deleteOld }, { deleteExpired }, { deleteExpired }).run(stop.signal);
    expect(deleteOld).toHaveBeenCalledTimes(1);
    expect(deleteExpired).not.toHaveBeenCalled();
  });
});
