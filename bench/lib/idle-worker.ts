import { Queue } from 'bullmq';
import type { QueueName } from '../../src/platform/config/queue-names.js';
import { QUEUE_PREFIX } from '../../src/platform/queues/queue-without-error-log.js';
import { apiUnderTest } from './api-under-test.js';

const CRAWLS: QueueName = 'domain-crawl';
const WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 250;

/** Resolves when the worker has crawled all domains that were asked about: it uses the processor that is measured. */
export async function crawlsAreDone(): Promise<void> {
  const queue = new Queue(CRAWLS, { connection: { url: apiUnderTest().redisUrl }, prefix: QUEUE_PREFIX });
  const until = performance.now() + WITHIN_MS;
  try {
    while ((await queue.getJobCountByTypes('waiting', 'prioritized', 'active')) > 0) {
      if (performance.now() > until) throw new Error('the worker does not come to the end of its crawls');
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  } finally {
    await queue.close();
  }
}
