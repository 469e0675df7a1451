import { Module } from '@nestjs/common';
import { Buckets } from './buckets.js';
import { RedisBuckets } from './redis-buckets.js';

/** Token buckets of keys and addresses. Needs `RedisModule`. */
@Module({ providers: [RedisBuckets, Buckets], exports: [Buckets] })
export class BucketsModule {}
