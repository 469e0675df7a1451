/** Every queue of the product, in the order they are shown. A worker process serves all of them or some. */
export const QUEUE_NAMES = ['smtp-probe', 'job-batch', 'domain-crawl', 'maintenance'] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];
