import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { AppConfig } from '../config/app-config.js';
import { PRODUCT_VERSION } from '../process/product-version.js';

/**
 * The metrics of a process. Its parts register counters and gauges with `registers: [metrics.registry]`. Names begin
 * with `mailvet_`; labels have few values, and none of them is an address, a domain, a key or an account.
 */
@Injectable()
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();

  constructor({ role }: AppConfig) {
    collectDefaultMetrics({ register: this.registry });
    new Gauge({
      name: 'mailvet_build_info',
      help: 'Always 1: the process by its role, the version of the product and that of Node',
      labelNames: ['role', 'version', 'node'],
      registers: [this.registry],
    }).set({ role, version: PRODUCT_VERSION, node: process.versions.node }, 1);
  }

  /** All metrics in the text format of Prometheus. */
  read(): Promise<string> {
    return this.registry.metrics();
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }
}
