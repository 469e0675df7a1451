import type { Queue } from 'bullmq';
import { crc32 } from 'node:zlib';
import type { QueueName } from '../config/queue-names.js';

/** Into how many queues of Redis a queue is split; one where its name is left out. All processes must agree. */
export type QueueParts = Readonly<Partial<Record<QueueName, number>>>;

/** A queue with all its parts. Only what speaks to Redis knows of them: logs, metrics and MySQL have the one name. */
export interface PartedQueue {
  readonly name: QueueName;
  readonly parts: readonly Queue[];
}

/** The first part has the queue's own name, so that a queue that is not split has it too. */
export function partNames(name: QueueName, { [name]: count = 1 }: QueueParts): readonly [string, ...string[]] {
  const further = Array.from({ length: count - 1 }, (_, i) => `${name}-${i + 2}`);
  return [name, ...further];
}

/** The part that holds a job: the same one for one id, so that no job is queued twice. */
export function partOf(jobId: string, count: number): number {
  return count === 1 ? 0 : crc32(jobId) % count;
}
