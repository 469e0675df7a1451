import { Logger } from '@nestjs/common';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-node';
import { LogThrottle } from '../../scheduling/log-throttle.js';

type Told = Parameters<SpanExporter['export']>[1];

/** Logs lost spans once a minute. They are not stored or retried. */
export class WatchedExporter implements SpanExporter {
  private readonly logger = new Logger('Tracing');
  private readonly warnings = new LogThrottle();
  private lost = 0;

  constructor(private readonly inner: SpanExporter) {}

  export(spans: ReadableSpan[], told: Told): void {
    this.inner.export(spans, (result) => {
      // 0 means success.
      if (result.code) this.trouble(spans.length, result.error);
      told(result);
    });
  }

  async forceFlush(): Promise<void> {
    await this.inner.forceFlush?.();
  }

  shutdown(): Promise<void> {
    return this.inner.shutdown();
  }

  private trouble(spans: number, error: Error | undefined): void {
    this.lost += spans;
    if (!this.warnings.passes()) return;
    this.logger.warn({ err: error, spans: this.lost }, 'the collector does not accept spans: they are lost');
    this.lost = 0;
  }
}
