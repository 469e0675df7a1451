import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseTraceParent } from './trace-parent.js';

/**
 * Creates a span for each request, in a new trace: callers must not choose what is sampled, nor write into existing
 * traces. A received `traceparent` becomes a link. The span records only method, route and status.
 */
export function installHttpSpans(instance: FastifyInstance, tracer: Tracer): void {
  const contexts = new WeakMap<FastifyRequest, Context>();
  const within = (request: FastifyRequest, done: () => void): void => {
    const own = contexts.get(request);
    if (own === undefined) done();
    else context.with(own, done);
  };
  instance.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.publicRoute !== true) contexts.set(request, begin(tracer, request, reply));
    within(request, done);
  });
  // Socket events delivered the body, outside of any request.
  instance.addHook('preValidation', (request, _reply, done) => within(request, done));
  instance.addHook('onResponse', (request, _reply, done) => within(request, done));
}

function begin(tracer: Tracer, request: FastifyRequest, { raw }: FastifyReply): Context {
  const route = request.is404 ? undefined : request.routeOptions.url;
  const { method } = request;
  const caller = parseTraceParent(request.headers['traceparent']);
  const attributes: Attributes = { 'http.request.method': method, ...(route !== undefined && { 'http.route': route }) };
  const span = tracer.startSpan(
    route === undefined ? method : `${method} ${route}`,
    { kind: SpanKind.SERVER, attributes, links: caller === undefined ? [] : [{ context: caller }] },
    ROOT_CONTEXT,
  );
  // Always runs, and last: after the answer, or after the caller disconnected.
  if (span.isRecording()) raw.once('close', () => end(span, raw.statusCode, raw.writableFinished));
  return trace.setSpan(ROOT_CONTEXT, span);
}

function end(span: Span, status: number, answered: boolean): void {
  if (answered) {
    span.setAttribute('http.response.status_code', status);
    if (status >= 500) span.setAttribute('error.type', String(status)).setStatus({ code: SpanStatusCode.ERROR });
  } else {
    span.setAttribute('error.type', 'caller_gone');
  }
  span.end();
}
