import { Module } from '@nestjs/common';
import { Redis } from 'ioredis';
import { AppConfig } from '../config/app-config.js';
import { politenessOptions } from './politeness-options.js';
import { RedisPoliteness } from './redis-politeness.js';

/** Needs `RedisModule` in the process. */
@Module({
  providers: [
    // A factory: the limits come from the SMTP_* variables.
    {
      provide: RedisPoliteness,
      inject: [Redis, AppConfig],
      useFactory: (redis: Redis, { smtp }: AppConfig) => new RedisPoliteness(redis, politenessOptions(smtp)),
    },
  ],
  exports: [RedisPoliteness],
})
export class PolitenessModule {}
