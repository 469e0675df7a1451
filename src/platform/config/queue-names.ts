/** Every queue, in display order. A worker process serves all or some. */
export const QUEUE_NAMES = ['smtp-probe', 'job-batch', 'domain-crawl', 'webhook-delivery', 'maintenance'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
