import { Controller, Get, Header, Headers } from '@nestjs/common';
import { Registry } from 'prom-client';
import { PublicRoute } from '../http/public-route.js';
import { Metrics } from '../metrics/metrics.js';
import { MetricsAccess } from './metrics-access.js';

/** `/metrics` in the text format of Prometheus, for a process whose port is not public. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
  ) {}

  @Get()
  @PublicRoute()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  read(@Headers('authorization') authorization = ''): Promise<string> {
    this.access.check(authorization);
    return this.metrics.read();
  }
}
