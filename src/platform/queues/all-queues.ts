import { getQueueToken } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { QUEUE_NAMES } from '../config/queue-names.js';

/** Every queue, for reading only. */
@Injectable()
export class AllQueues {
  constructor(private readonly moduleRef: ModuleRef) {}

  list(): readonly Queue[] {
    return QUEUE_NAMES.map((name) => this.moduleRef.get<Queue>(getQueueToken(name), { strict: false }));
  }
}
