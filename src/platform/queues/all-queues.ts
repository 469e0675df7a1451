import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { QUEUE_NAMES } from '../config/queue-names.js';
import { QueueConnection } from './queue-connection.js';
import type { PartedQueue } from './queue-parts.js';

/** Every queue, for reading only. */
@Injectable()
export class AllQueues {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly connection: QueueConnection,
  ) {}

  list(): readonly PartedQueue[] {
    return QUEUE_NAMES.map((name) => {
      const first = this.moduleRef.get<Queue>(getQueueToken(name), { strict: false });
      return { name, parts: [first, ...this.connection.furtherParts(name)] };
    });
  }
}
