import { context, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import type { BulkProber, BulkProbeRequest } from '../../../engine/smtp/bulk/bulk-prober.js';
import type { ProbeOutcome } from '../../../engine/smtp/prober.js';
import { recordingSpan } from './recording.js';
import { providerOf } from './traced-prober.js';

/** One span for all recipients of a bulk probe, with counts of their outcomes. */
export class TracedBulkProber implements BulkProber {
  constructor(
    private readonly inner: BulkProber,
    private readonly tracer: Tracer,
  ) {}

  probe(request: BulkProbeRequest): Promise<void> {
    if (recordingSpan() === undefined) return this.inner.probe(request);
    return this.traced(request);
  }

  private async traced(request: BulkProbeRequest): Promise<void> {
    const { domains } = request;
    const span = this.tracer.startSpan('SMTP bulk probe', {
      kind: SpanKind.CLIENT,
      attributes: {
        'mailvet.smtp.provider': providerOf(domains[0]?.hosts[0]?.name),
        'mailvet.smtp.domains': domains.length,
        'mailvet.smtp.recipients': domains.reduce((sum, { recipients }) => sum + recipients.length, 0),
      },
    });
    const counts = new Map<string, number>();
    const onOutcome = (index: number, outcome: ProbeOutcome): void => {
      const ending = outcome.kind === 'facts' ? outcome.facts.ending : outcome.kind;
      counts.set(ending, (counts.get(ending) ?? 0) + 1);
      request.onOutcome(index, outcome);
    };
    try {
      await context.with(trace.setSpan(context.active(), span), () => this.inner.probe({ ...request, onOutcome }));
    } finally {
      for (const [ending, count] of counts) span.setAttribute(`mailvet.smtp.endings.${ending}`, count);
      span.end();
    }
  }
}
