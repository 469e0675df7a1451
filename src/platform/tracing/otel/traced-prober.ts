import { context, SpanKind, SpanStatusCode, trace, type Span, type Tracer } from '@opentelemetry/api';
import type { Prober, ProbeOutcome, ProbeRequest } from '../../../engine/smtp/prober.js';
import { findProvider } from '../../../engine/smtp/providers/find-provider.js';
import type { TraceEvent } from '../../../engine/trace.js';
import { recordingSpan } from './recording.js';
import { smtpStep } from './smtp-steps.js';

/** Bounds the span of a host that never stops talking. */
const MAX_STEPS = 60;

/**
 * A span for each probe, with the steps of its dialogues as events. It identifies the host only by the provider’s id
 * in the provider table.
 */
export class TracedProber implements Prober {
  constructor(
    private readonly inner: Prober,
    private readonly tracer: Tracer,
  ) {}

  probe(request: ProbeRequest): Promise<ProbeOutcome> {
    if (recordingSpan() === undefined) return this.inner.probe(request);
    return this.traced(request);
  }

  private async traced(request: ProbeRequest): Promise<ProbeOutcome> {
    const span = this.tracer.startSpan('SMTP probe', {
      kind: SpanKind.CLIENT,
      attributes: { 'mailvet.smtp.provider': providerOf(request.hosts[0]?.name) },
    });
    try {
      const told = { ...request, trace: listener(span, request.trace) };
      const outcome = await context.with(trace.setSpan(context.active(), span), () => this.inner.probe(told));
      describe(span, outcome);
      return outcome;
    } finally {
      span.end();
    }
  }
}

/** The provider's id in the provider table, `other` for unlisted hosts. */
export function providerOf(mailHost: string | null | undefined): string {
  return (mailHost != null && findProvider(mailHost)?.id) || 'other';
}

function listener(span: Span, further: ProbeRequest['trace']): (event: TraceEvent) => void {
  let steps = 0;
  return (event) => {
    further?.(event);
    const step = steps < MAX_STEPS ? smtpStep(event) : null;
    if (step === null) return;
    steps += 1;
    if ('verb' in step) span.addEvent(`smtp.${step.verb.toLowerCase()}`);
    else span.addEvent('smtp.reply', { 'mailvet.smtp.code': step.code });
  };
}

function describe(span: Span, outcome: ProbeOutcome): void {
  if (outcome.kind === 'unavailable') {
    span.setAttribute('error.type', outcome.busy === true ? 'busy' : 'unavailable');
    if (outcome.busy !== true) span.setStatus({ code: SpanStatusCode.ERROR });
    return;
  }
  const { stage, ending, code, class: replyClass, random, host } = outcome.facts;
  span.setAttributes({
    'mailvet.smtp.stage': stage,
    'mailvet.smtp.ending': ending,
    'mailvet.smtp.random': random,
    ...(code !== null && { 'mailvet.smtp.code': code }),
    ...(replyClass !== null && { 'mailvet.smtp.class': replyClass }),
    ...(host !== null && { 'mailvet.smtp.provider': providerOf(host) }),
  });
}
