import type { IncomingMessage } from 'node:http';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { AppError } from '../errors/app-error.js';
import type { BodiesInFlight } from './body/bodies-in-flight.js';
import { readArrivingBody, readJsonBody } from './body/read-body.js';
import { isCsv } from './media-type.js';
import { isRepeated } from './repeated-header.js';
import { begin, type RequestPipeline } from './request-pipeline.js';
import type { RouteTable } from './route-table.js';

/** What a body without a media type is (RFC 9110 8.3). */
const NO_TYPE = 'application/octet-stream';

/** Installs the request pipeline around every route of a Fastify instance; call it before routes are declared. */
export function installHooks(
  instance: FastifyInstance,
  pipeline: RequestPipeline,
  routes: RouteTable,
  bodies: BodiesInFlight,
): void {
  instance.decorateRequest('context', null as never);
  instance.addHook('onRoute', (route) => {
    routes.add(route.url, [route.method].flat());
    const limit = route.config?.bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  // Returns the promise itself: another promise would slow down every request.
  instance.addHook('onRequest', (request, reply): Promise<void> => {
    begin(request, reply);
    settleMediaType(request.raw, request.routeOptions.config);
    return pipeline.admit(request);
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    const finish = (): void => {
      pipeline.finish(request, reply);
      done(null, payload);
    };
    const late = pipeline.settle(request);
    if (late === undefined) finish();
    else void late.then(finish);
  });
  instance.addHook('onResponse', (request, reply, done) => {
    pipeline.logAccess(request, reply);
    done();
  });
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('application/json', (request, payload, done) => {
    if (isEncoded(request.raw)) done(encoded());
    else readJsonBody(request, payload, bodies, done);
  });
  instance.addContentTypeParser('*', (request, _payload, done) => done(otherMediaType(request.routeOptions.config)));
  instance.addContentTypeParser('text/csv', (request, payload, done) => {
    const read = request.routeOptions.config.csvBody;
    if (read === undefined) done(otherMediaType(request.routeOptions.config));
    else if (isEncoded(request.raw)) done(encoded());
    else readArrivingBody(request, payload, bodies, read(request.query as Readonly<Record<string, unknown>>), done);
  });
}

function otherMediaType({ csvBody }: FastifyContextConfig): AppError {
  const taken = csvBody === undefined ? 'application/json' : 'application/json or text/csv';
  return new AppError('unsupported_media_type', `The body must be sent as ${taken}.`);
}

function isEncoded({ headers }: IncomingMessage): boolean {
  const codings = (headers['content-encoding'] ?? '').toLowerCase().split(',');
  return codings.some((coding) => !['', 'identity'].includes(coding.trim()));
}

function encoded(): AppError {
  const headers = { 'Accept-Encoding': 'identity' };
  return new AppError('unsupported_media_type', 'The body must be sent without a Content-Encoding.', { headers });
}

/**
 * Ignores the media type of a request without a body: `curl -X POST -d ''` sends one. An empty CSV keeps its type, so that it
 * is refused as one.
 */
function settleMediaType(
  request: IncomingMessage,
  { mediaTypeOptional: optional, csvBody }: FastifyContextConfig,
): void {
  const { headers } = request;
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    if (csvBody === undefined || !isCsv(request)) delete headers['content-type'];
  } else if (isRepeated(request, 'content-type')) {
    // Treat several as none: a proxy in front may pick another one.
    headers['content-type'] = NO_TYPE;
  } else {
    headers['content-type'] ||= optional ? 'application/json' : NO_TYPE;
  }
}
