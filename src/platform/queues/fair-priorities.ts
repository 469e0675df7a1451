import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';

/** The current or new place of a flow's job. */
export interface FairPriority {
  /** 1 is served first. */
  readonly priority: number;
  /** `new`: the job is not queued; `better`: it is queued further behind; `kept`: its own place is as good. */
  readonly kind: 'new' | 'better' | 'kept';
}

export interface FlowJob {
  readonly flow: string;
  readonly jobId: string;
}

/** BullMQ allows up to 2,097,152. Jobs further behind than this are served in order of arrival. */
const LAST_PRIORITY = 2_000_000;
const REMEMBERED_MS = 3_600_000;

/**
 * Start-time fair queueing: a job is placed one behind the last of its flow, and never before the current place. Flows
 * take turns, however many jobs each has waiting, and an idle flow saves up nothing. KEYS: BullMQ's set of waiting
 * jobs, last place of each flow, then the hash of each job. ARGV: highest place, how long to remember places in ms,
 * then the flow of each job. Returns kind and place of each.
 */
const ASSIGN_PRIORITIES = `
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
  mailvetAssignPriorities(keys: number, ...given: (string | number)[]): Promise<(FairPriority['kind'] | number)[]>;
}

/** Assigns places to jobs whose flows take turns. If Redis loses this state, only fairness suffers. */
export class FairPriorities {
  constructor(
    private readonly redis: Redis,
    private readonly queue: Queue,
  ) {
    redis.defineCommand('mailvetAssignPriorities', { lua: ASSIGN_PRIORITIES });
  }

  /** @returns one place per job, in the same order */
  async assign(jobs: readonly FlowJob[]): Promise<FairPriority[]> {
    if (jobs.length === 0) return [];
    const keys = [
      this.queue.toKey('prioritized'),
      this.queue.toKey('lasts'),
      ...jobs.map(({ jobId }) => this.queue.toKey(jobId)),
    ];
    const assigned = await (this.redis as Redis & Script).mailvetAssignPriorities(
      keys.length,
      ...keys,
      LAST_PRIORITY,
      REMEMBERED_MS,
      ...jobs.map(({ flow }) => flow),
    );
    return jobs.map((_, i) => ({
      kind: assigned[2 * i] as FairPriority['kind'],
      priority: Number(assigned[2 * i + 1]),
    }));
  }
}
