import type { Redis } from 'ioredis';
import { withinDeadline } from '../platform/scheduling/within-deadline.js';
import { describeDecision, PARTS_PER_TOKEN, type TokenDecision } from './token-bucket.js';
import { TAKE_TOKEN } from './token-script.js';

interface Scripts {
  /** @param keysAndArguments the number of keys before them */
  mailvetTakeTokens(...keysAndArguments: (string | number)[]): Promise<number[]>;
}

interface Asking {
  readonly resolve: (decision: TokenDecision) => void;
  readonly reject: (error: unknown) => void;
}

/** Who asks for a token of one bucket, in the order they came. */
interface BucketAsked {
  readonly key: string;
  readonly capacity: number;
  readonly askings: Asking[];
}

/** Requests wait for it, some of which must be answered in 600 ms. */
export const ANSWER_WITHIN_MS = 400;
/** Of one script: beyond it Redis would serve nobody else for too long. */
const MAX_BUCKETS = 128;

/**
 * The buckets of all processes, in Redis: one round trip for all that ask in one turn of the event loop. They are decided as if
 * each had asked by itself, in the order they came, at the same millisecond.
 */
export class RedisBuckets {
  private readonly scripts: Scripts;
  /** Keys of one script stand on one node of a cluster, which keeps each where the part in braces says. */
  private readonly perScript: number;
  private asked = new Map<string, BucketAsked>();

  constructor(redis: Redis) {
    redis.defineCommand('mailvetTakeTokens', { lua: TAKE_TOKEN });
    this.scripts = redis as Redis & Scripts;
    this.perScript = redis.isCluster ? 1 : MAX_BUCKETS;
  }

  /**
   * Takes one token out of the bucket of this name, if there is one.
   * @param capacity tokens a minute
   * @throws DeadlineMissed when Redis does not answer within `ANSWER_WITHIN_MS`, else whatever it or the client says; the token
   *   may have been taken
   */
  take(name: string, capacity: number): Promise<TokenDecision> {
    return new Promise((resolve, reject) => {
      if (this.asked.size === 0) setImmediate(this.askForAll);
      // Two capacities: the plan of an account has just been changed.
      const bucket = `${name} ${capacity}`;
      const known = this.asked.get(bucket);
      if (known === undefined) {
        this.asked.set(bucket, { key: `mailvet:rate:{${name}}`, capacity, askings: [{ resolve, reject }] });
      } else {
        known.askings.push({ resolve, reject });
      }
    });
  }

  private readonly askForAll = (): void => {
    const asked = [...this.asked.values()];
    this.asked = new Map();
    for (let next = 0; next < asked.length; next += this.perScript) {
      void this.askFor(asked.slice(next, next + this.perScript));
    }
  };

  /** Settles all that ask. Never rejects. */
  private async askFor(buckets: readonly BucketAsked[]): Promise<void> {
    try {
      const wanted = buckets.flatMap(({ capacity, askings }) => [capacity, askings.length]);
      const keys = buckets.map(({ key }) => key);
      const taking = this.scripts.mailvetTakeTokens(keys.length, ...keys, ...wanted);
      const answer = await withinDeadline(taking, ANSWER_WITHIN_MS);
      buckets.forEach((bucket, i) => settle(bucket, answer[i * 3]!, answer[i * 3 + 1]!, answer[i * 3 + 2]!));
    } catch (error) {
      for (const { askings } of buckets) for (const { reject } of askings) reject(error);
    }
  }
}

/** Those who came first get what was given. @param missing parts, after all of it was */
function settle({ capacity, askings }: BucketAsked, given: number, missing: number, at: number): void {
  askings.forEach(({ resolve }, i) => {
    const givenLater = Math.max(0, given - i - 1);
    const bucket = { missing: missing - givenLater * PARTS_PER_TOKEN, at };
    resolve(describeDecision(i < given, bucket, capacity));
  });
}
