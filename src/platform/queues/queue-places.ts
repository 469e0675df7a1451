import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** Where a job of a flow stands, or is to stand. */
export interface QueuePlace {
  /** 1 is served first. */
  readonly priority: number;
  /** `better`: the job is there, further behind; `kept`: it is there, and its own place is as good. */
  readonly kind: 'new' | 'better' | 'kept';
}

export interface FlowJob {
  readonly flow: string;
  readonly jobId: string;
}

/** BullMQ takes up to 2,097,152. Whoever is further behind than this is served in the order of arrival. */
const LAST = 2_000_000;
const KEPT_MS = 3_600_000;

/**
 * Start-time fair queueing: a job stands one place behind the last one of its flow, and never before the place whose turn it is.
 * So flows take turns, however many jobs each of them has waiting, and a flow that was idle saves up nothing.
 * KEYS: BullMQ's set of jobs that wait, last place of each flow, then the hash of each job. ARGV: highest place, how long places
 * are remembered in ms, then the flow of each job. Answers kind and place of each.
 */
const FIND_PLACES = `
local waiting, lasts = KEYS[1], KEYS[2]
local highest = tonumber(ARGV[1])
local head = redis.call('ZRANGE', waiting, 0, 0, 'WITHSCORES')
local turn = 0
if head[2] then
  turn = math.max(math.floor(tonumber(head[2]) / 4294967296) - 1, tonumber(redis.call('HGET', lasts, '') or '0'))
else
  redis.call('DEL', lasts)
end
local found = {}
for i = 3, #KEYS do
  local flow = ARGV[i]
  local place = math.min(math.max(turn, tonumber(redis.call('HGET', lasts, flow) or '0')) + 1, highest)
  local own = redis.call('HGET', KEYS[i], 'priority')
  local kind = 'new'
  if own then kind = place < tonumber(own) and 'better' or 'kept' end
  if kind ~= 'kept' then redis.call('HSET', lasts, flow, place) end
  found[#found + 1] = kind
  found[#found + 1] = place
end
redis.call('HSET', lasts, '', turn)
redis.call('PEXPIRE', lasts, ARGV[2])
return found
`;

interface Script {
  mailvetFindPlaces(keys: number, ...given: (string | number)[]): Promise<(QueuePlace['kind'] | number)[]>;
}

/** Finds the places of jobs whose flows take turns. What Redis forgets is begun anew: nothing but fairness depends on it. */
export class QueuePlaces {
  constructor(
    private readonly redis: Redis,
    private readonly queue: Queue,
  ) {
    redis.defineCommand('mailvetFindPlaces', { lua: FIND_PLACES });
  }

  /** @returns one for each, in their order */
  async find(jobs: readonly FlowJob[]): Promise<QueuePlace[]> {
    if (jobs.length === 0) return [];
    const keys = [
      this.queue.toKey('prioritized'),
      this.queue.toKey('lasts'),
      ...jobs.map(({ jobId }) => this.queue.toKey(jobId)),
    ];
    const found = await (this.redis as Redis & Script).mailvetFindPlaces(
      keys.length,
      ...keys,
      LAST,
      KEPT_MS,
      ...jobs.map(({ flow }) => flow),
    );
    return jobs.map((_, i) => ({
      kind: found[2 * i] as QueuePlace['kind'],
      priority: Number(found[2 * i + 1]),
    }));
  }
}
