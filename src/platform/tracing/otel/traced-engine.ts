import { SpanKind, SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api';
import type { BulkProber } from '../../../engine/smtp/bulk/bulk-prober.js';
import type { Prober, ProbeRequest } from '../../../engine/smtp/prober.js';
import { findProvider } from '../../../engine/smtp/providers/find-provider.js';
import type { TraceEvent } from '../../../engine/trace.js';
import type { Checks } from '../tracing.js';
import { inSpan } from './recording.js';
import { smtpStep } from './smtp-steps.js';

/** Bounds the span of a host that never stops talking. */
const MAX_STEPS = 60;

/** A span for each check, with its depth and outcome. */
export function tracedChecks(inner: Checks, tracer: Tracer): Checks {
  return {
    check: (email, options) =>
      inSpan(tracer, { name: 'engine check' }, async (span) => {
        span?.setAttribute('mailvet.check.mode', options.mode);
        const outcome = await inner.check(email, options);
        if (outcome.kind === 'unavailable') {
          describeUnavailable(span, outcome);
        } else {
          const { facts, deferred } = outcome.check;
          const depth = facts.probe !== null ? 'probe' : facts.mailHosts !== null ? 'dns' : 'syntax';
          span?.setAttributes({ 'mailvet.check.depth': depth, 'mailvet.check.deferred': deferred });
        }
        return outcome;
      }),
  };
}

/**
 * A span for each probe, with the steps of its dialogues as events. It identifies the host only by the provider’s id
 * in the provider table.
 */
export function tracedProber(inner: Prober, tracer: Tracer): Prober {
  return {
    probe: (request) =>
      inSpan(tracer, { name: 'SMTP probe', kind: SpanKind.CLIENT }, async (span) => {
        if (span === null) return inner.probe(request);
        span.setAttribute('mailvet.smtp.provider', providerOf(request.hosts[0]?.name));
        const outcome = await inner.probe({ ...request, trace: listener(span, request.trace) });
        if (outcome.kind === 'unavailable') {
          describeUnavailable(span, outcome);
          return outcome;
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
        return outcome;
      }),
  };
}

/** One span for all recipients of a bulk probe, with counts of their outcomes. */
export function tracedBulkProber(inner: BulkProber, tracer: Tracer): BulkProber {
  return {
    probe: (request) =>
      inSpan(tracer, { name: 'SMTP bulk probe', kind: SpanKind.CLIENT }, async (span) => {
        if (span === null) return inner.probe(request);
        const { domains } = request;
        span.setAttributes({
          'mailvet.smtp.provider': providerOf(domains[0]?.hosts[0]?.name),
          'mailvet.smtp.domains': domains.length,
          'mailvet.smtp.recipients': domains.reduce((sum, { recipients }) => sum + recipients.length, 0),
        });
        const counts = new Map<string, number>();
        const onOutcome: typeof request.onOutcome = (index, outcome) => {
          const ending = outcome.kind === 'facts' ? outcome.facts.ending : outcome.kind;
          counts.set(ending, (counts.get(ending) ?? 0) + 1);
          request.onOutcome(index, outcome);
        };
        try {
          await inner.probe({ ...request, onOutcome });
        } finally {
          for (const [ending, count] of counts) span.setAttribute(`mailvet.smtp.endings.${ending}`, count);
        }
      }),
  };
}

/** The provider's id in the provider table, `other` for unlisted hosts. */
function providerOf(mailHost: string | null | undefined): string {
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

function describeUnavailable(span: Span | null, { busy }: { readonly busy?: boolean }): void {
  span?.setAttribute('error.type', busy === true ? 'busy' : 'unavailable');
  if (busy !== true) span?.setStatus({ code: SpanStatusCode.ERROR });
}
