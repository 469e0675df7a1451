import { Injectable } from '@nestjs/common';
import { PurgeTask } from '../../platform/queues/purge-task.js';
import { OldDeliveriesRepository } from './old-deliveries.repository.js';

/** Erases what webhooks have sent after a week, deletes deliveries after a month, and ends those that nobody waits for. */
@Injectable()
export class OldDeliveriesTask extends PurgeTask {
  readonly name = 'purge-webhook-deliveries';
  readonly everyMs = 60_000;
  protected override readonly purges = [
    (limit: number) => this.deliveries.endUnwanted(limit),
    (limit: number) => this.deliveries.deleteOrphans(limit),
    (limit: number) => this.deliveries.eraseBodies(limit),
    (limit: number) => this.deliveries.deleteOld(limit),
  ];

  constructor(private readonly deliveries: OldDeliveriesRepository) {
    super();
  }
}
