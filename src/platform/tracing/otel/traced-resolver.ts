import { SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import type { DnsAnswer, QueryOptions, RecordType, Resolver } from '../../../engine/dns/resolver.js';
import type { TraceEvent } from '../../../engine/trace.js';
import { recordingSpan } from './recording.js';

/** A span for each query that was sent, with type and outcome, never the name. Cached answers have none. */
export class TracedResolver implements Resolver {
  constructor(
    private readonly inner: Resolver,
    private readonly tracer: Tracer,
  ) {}

  query(name: string, type: RecordType, options: QueryOptions): Promise<DnsAnswer> {
    if (recordingSpan() === undefined) return this.inner.query(name, type, options);
    return this.ask(name, type, options);
  }

  private async ask(name: string, type: RecordType, options: QueryOptions): Promise<DnsAnswer> {
    const startTime = performance.now();
    let transport: 'udp' | 'tcp' | null = null;
    const listen = (event: TraceEvent): void => {
      if (event.kind === 'dns' && event.transport !== 'cache') transport = event.transport;
      options.trace?.(event);
    };
    const answer = await this.inner.query(name, type, { ...options, trace: listen });
    if (transport !== null) this.record(type, startTime, transport, answer);
    return answer;
  }

  private record(type: RecordType, startTime: number, transport: 'udp' | 'tcp', answer: DnsAnswer): void {
    const span = this.tracer.startSpan(`DNS ${type}`, {
      kind: SpanKind.CLIENT,
      startTime,
      attributes: {
        'mailvet.dns.type': type,
        'mailvet.dns.outcome': answer.kind === 'failure' ? answer.why : answer.kind,
        'network.transport': transport,
      },
    });
    if (answer.kind === 'failure') {
      span.setAttribute('error.type', answer.why);
      // A domain whose servers fail is a finding; a failure of our own resolver is an error.
      if (answer.blame === 'resolver') span.setStatus({ code: SpanStatusCode.ERROR });
    }
    span.end(performance.now());
  }
}
