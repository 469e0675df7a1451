import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { SingleFlight } from './single-flight.js';

/** Needs `RedisModule`. */
@Module({
  providers: [
    {
      // Opens its own Redis connection.
      provide: SingleFlight,
      inject: [Redis],
      // `CompletionChannel` resubscribes by itself: ioredis's automatic resubscribe would reject with no handler.
      useFactory: (redis: Redis) => new SingleFlight(redis, () => redis.duplicate({ autoResubscribe: false })),
    },
  ],
  exports: [SingleFlight],
})
export class SingleFlightModule implements OnApplicationShutdown {
  constructor(private readonly flights: SingleFlight) {}

  /** Runs after the HTTP server has closed: all requests have been answered. */
  onApplicationShutdown(): void {
    this.flights.close();
  }
}
