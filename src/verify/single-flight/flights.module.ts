import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Redis } from 'ioredis';
import { Flights } from './flights.js';

/** Needs `RedisModule` in the process. */
@Module({
  providers: [
    {
      provide: Flights,
      inject: [Redis],
      // What subscribes it subscribes itself: what ioredis does on its own rejects where nobody listens.
      useFactory: (redis: Redis) => new Flights(redis, () => redis.duplicate({ autoResubscribe: false })),
    },
  ],
  exports: [Flights],
})
export class FlightsModule implements OnApplicationShutdown {
  constructor(private readonly flights: Flights) {}

  /** Runs after the HTTP server has closed: what was in flight has been answered. */
  onApplicationShutdown(): void {
    this.flights.close();
  }
}
