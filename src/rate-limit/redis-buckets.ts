import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';
import { atEndOfTurn } from '../platform/scheduling/end-of-turn.js';
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

/** The requests for a token of one bucket, in the order they came. */
interface BucketAsked {
  readonly key: string;
  readonly capacity: number;
  readonly askings: Asking[];
}

/** Some of the requests that wait for it must be answered in 600 ms. */
const ANSWER_WITHIN_MS = 400;
/** Buckets per script: Redis serves nobody else while a script runs. */
const MAX_BUCKETS = 128;

/**
 * The buckets that all processes share, in Redis. All requests of one turn of the event loop share one round trip. Redis decides
 * them in the order they came, at the same millisecond. No `WriteBatcher`: a turn does not wait for the round trip of the
 * one before.
 */
@Injectable()
export class RedisBuckets {
  private readonly scripts: Scripts;
  /** On a cluster one bucket per script: a script's keys must be on one node. */
  private readonly perScript: number;
  private asked = new Map<string, BucketAsked>();

  constructor(redis: Redis) {
    redis.defineCommand('mailvetTakeTokens', { lua: TAKE_TOKEN });
    this.scripts = redis as Redis & Scripts;
    this.perScript = redis.isCluster ? 1 : MAX_BUCKETS;
  }

  /**
   * Takes one token out of the bucket of this name if there is one.
   * @param capacity tokens a minute
   * @throws DeadlineMissed if Redis does not answer within `ANSWER_WITHIN_MS`, or the error of Redis or the client; the token
   *   may be taken all the same
   */
  take(name: string, capacity: number): Promise<TokenDecision> {
    return new Promise((resolve, reject) => {
      if (this.asked.size === 0) atEndOfTurn(this.askForAll);
      // One key may have two capacities just after its account changed plans.
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

  /** Settles all requests. Never rejects. */
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

/** Gives the tokens to the first requests. @param missing parts that the bucket misses after that */
function settle({ capacity, askings }: BucketAsked, given: number, missing: number, at: number): void {
  askings.forEach(({ resolve }, i) => {
    const givenLater = Math.max(0, given - i - 1);
    const bucket = { missing: missing - givenLater * PARTS_PER_TOKEN, at };
    resolve(describeDecision(i < given, bucket, capacity));
  });
}
