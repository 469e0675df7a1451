import { Injectable, Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { isRefusal, isWithoutPrimary } from './redis-errors.js';

/** Condition of a server that answers. */
export interface RedisCondition {
  /** The error code of a refused write (`OOM`, `READONLY`, …); null while it accepts writes. */
  readonly refusesWrites: string | null;
  /** `maxmemory-policy`; `unknown` where the server does not tell. */
  readonly evictionPolicy: string;
}

/** Written to test whether Redis accepts writes. */
const KEY = 'mailvet:health:{write}';
const KEPT_MS = 10_000;
const KEEPS_EVERYTHING = 'noeviction';
const UNKNOWN = 'unknown';

/** Checks whether Redis answers, accepts writes, and does not evict keys. */
@Injectable()
export class RedisHealth {
  private readonly logger = new Logger('Redis');
  private refusesWrites: string | null = null;
  private evictionPolicy = UNKNOWN;

  constructor(private readonly redis: Redis) {
    // A new connection may lead to another server.
    redis.on('ready', () => void this.readPolicy());
  }

  /**
   * The result of the last check. None of it stops the service.
   * @see RedisCondition
   */
  get condition(): RedisCondition {
    const { refusesWrites, evictionPolicy } = this;
    return { refusesWrites, evictionPolicy };
  }

  /** Problems for the operator to fix, one line each. */
  get warnings(): readonly string[] {
    const { refusesWrites, evictionPolicy } = this;
    return [
      ...(refusesWrites === null
        ? []
        : [`Redis takes no writes (${refusesWrites}): every process counts and works by itself`]),
      ...(keepsEverything(evictionPolicy) ? [] : [evictionWarning(evictionPolicy)]),
    ];
  }

  /** @throws Error with a message for operators, when the server does not answer */
  async check(): Promise<void> {
    await Promise.all([this.tryToWrite(), this.readPolicy()]);
  }

  private async tryToWrite(): Promise<void> {
    try {
      await this.redis.set(KEY, '1', 'PX', KEPT_MS);
      this.refusesWrites = null;
    } catch (error) {
      if (!isRefusal(error) || isWithoutPrimary(error)) throw new Error('Redis does not answer', { cause: error });
      this.refusesWrites = error.message.split(' ', 1)[0]!;
    }
  }

  /** Managed servers allow INFO where they forbid CONFIG; one that allows neither gets no warning. Never rejects. */
  private async readPolicy(): Promise<void> {
    const info = await this.redis.info('memory').catch(() => '');
    const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1] ?? UNKNOWN;
    if (policy !== this.evictionPolicy && !keepsEverything(policy)) this.logger.warn(evictionWarning(policy));
    this.evictionPolicy = policy;
  }
}

function keepsEverything(policy: string): boolean {
  return policy === KEEPS_EVERYTHING || policy === UNKNOWN;
}

function evictionWarning(policy: string): string {
  return `Redis may delete work that waits on queues when its memory is full: its maxmemory-policy is ${policy}; set ${KEEPS_EVERYTHING}`;
}
