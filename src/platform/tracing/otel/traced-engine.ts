import { context, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import type { CheckOutcome } from '../../../engine/check.js';
import type { CheckOptions } from '../../../engine/engine.js';
import type { Checks } from '../tracing.js';
import { recordingSpan } from './recording.js';

/** A span for each check, with its depth and outcome. */
export class TracedEngine implements Checks {
  constructor(
    private readonly inner: Checks,
    private readonly tracer: Tracer,
  ) {}

  check(email: string, options: CheckOptions): Promise<CheckOutcome> {
    if (recordingSpan() === undefined) return this.inner.check(email, options);
    return this.traced(email, options);
  }

  private async traced(email: string, options: CheckOptions): Promise<CheckOutcome> {
    const span = this.tracer.startSpan('engine check', { attributes: { 'mailvet.check.mode': options.mode } });
    try {
      const within = trace.setSpan(context.active(), span);
      const outcome = await context.with(within, () => this.inner.check(email, options));
      describe(span, outcome);
      return outcome;
    } finally {
      span.end();
    }
  }
}

function describe(span: Span, outcome: CheckOutcome): void {
  if (outcome.kind === 'unavailable') {
    span.setAttribute('error.type', outcome.busy === true ? 'busy' : 'unavailable');
    if (outcome.busy !== true) span.setStatus({ code: SpanStatusCode.ERROR });
    return;
  }
  const { facts, deferred } = outcome.check;
  const depth = facts.probe !== null ? 'probe' : facts.mailHosts !== null ? 'dns' : 'syntax';
  span.setAttributes({ 'mailvet.check.depth': depth, 'mailvet.check.deferred': deferred });
}
