import { createHash, timingSafeEqual } from 'node:crypto';
import { Controller, Get, Header, Headers } from '@nestjs/common';
import { Registry } from 'prom-client';
import { AppSecrets } from '../config/app-secrets.js';
import { AppError } from '../errors/app-error.js';
import { PublicRoute } from '../http/public-route.js';
import { Metrics } from './metrics.js';

/** `/metrics` in the text format of Prometheus. */
@Controller('metrics')
export class MetricsController {
  private readonly token: Buffer | null;

  constructor(
    private readonly metrics: Metrics,
    { metricsToken }: AppSecrets,
  ) {
    this.token = metricsToken === null ? null : sha256(`Bearer ${metricsToken}`);
  }

  @Get()
  @PublicRoute()
  @Header('Content-Type', Registry.PROMETHEUS_CONTENT_TYPE)
  read(@Headers('authorization') authorization = ''): Promise<string> {
    if (this.token !== null && !timingSafeEqual(this.token, sha256(authorization))) {
      throw new AppError('unauthorized', 'Send the metrics token as a bearer token.', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    }
    return this.metrics.registry.metrics();
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
