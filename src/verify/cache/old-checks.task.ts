import { Injectable } from '@nestjs/common';
import { AcceptedRecipientsRepository } from '../../domains/accepted/accepted-recipients.repository.js';
import { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { CheckCacheRepository } from './check-cache.repository.js';

/** Deletes checks that expired 90 days ago (decisions 6.7), and domain findings that no longer hold. */
@Injectable()
export class OldChecksTask extends PurgeTask {
  readonly name = 'delete-old-checks';
  readonly everyMs = 10 * 60_000;
  protected override readonly purges = [
    (limit: number) => this.checks.deleteOld(limit),
    (limit: number) => this.catchAlls.deleteExpired(limit),
    (limit: number) => this.accepted.deleteExpired(limit),
  ];

  constructor(
    private readonly checks: CheckCacheRepository,
    private readonly catchAlls: CatchAllRepository,
    private readonly accepted: AcceptedRecipientsRepository,
  ) {
    super();
  }
}
