import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';

@Injectable()
export class RedisHealth {
  constructor(private readonly redis: Redis) {}

  /** @throws Error with a message for operators */
  async check(): Promise<void> {
    await this.redis.ping().catch((error: unknown) => {
      throw new Error('Redis does not answer', { cause: error });
    });
  }
}
