import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { SingleFlight } from './single-flight.js';

/** Needs `RedisModule` in the process. */
@Module({
  providers: [
    {
      // Made with a Redis connection of its own.
      provide: SingleFlight,
      inject: [Redis],
      // What subscribes it subscribes itself: what ioredis does on its own rejects where nobody listens.
      useFactory: (redis: Redis) => new SingleFlight(redis, () => redis.duplicate({ autoResubscribe: false })),
    },
  ],
  exports: [SingleFlight],
})
export class SingleFlightModule implements OnApplicationShutdown {
  constructor(private readonly flights: SingleFlight) {}

  /** Runs after the HTTP server has closed: what was in flight has been answered. */
  onApplicationShutdown(): void {
    this.flights.close();
  }
}
