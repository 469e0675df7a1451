import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * What a process counts. Parts of it make their counters and gauges with `registers: [metrics.registry]`. Names begin with
 * `mailvet_`; labels have few values, and none of them is an address, a domain, a key or an account.
 */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }
}
