import type { FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors/app-error.js';
import type { ProcessState } from '../process/process-state.js';
import type { Log } from '../logging/log.js';
import { sendError } from './error-reply.js';
import { nameIgnoredQuery } from './ignored-query.js';
import type { Connections } from './connections/connections.js';
import type { LateHeaders } from './late-headers.js';
import type { AccountRequests } from './load/account-requests.js';
import type { RequestGate } from './request-gate.js';
import { isRepeated } from './repeated-header.js';
import type { RouteTable } from './route-table.js';
import { SECURITY_HEADERS } from './security-headers.js';

/** The steps around every request's handler. Refusals come in the order of decisions 1.2. */
export class RequestPipeline {
  constructor(
    private readonly log: Log,
    private readonly routes: RouteTable,
    private readonly state: ProcessState,
    private readonly gate: RequestGate,
    private readonly connections: Pick<Connections, 'authenticated'>,
    private readonly late: LateHeaders | null,
    private readonly ofAccounts: AccountRequests | null,
  ) {}

  /** Runs before the body is read. Rejects, or throws at once, with an `AppError` to refuse the request. */
  admit(request: FastifyRequest): Promise<void> {
    if (request.is404 || hasEmptyParameter(request) || this.isOthers(request)) return this.refuseRoute(request);
    refuseWithoutOneHost(request.raw);
    return request.routeOptions.config.publicRoute ? Promise.resolve() : this.passGate(request);
  }

  /** Waits for headers that need a look-up. Never rejects. */
  settle(request: FastifyRequest): Promise<void> | undefined {
    return this.late?.settle(request);
  }

  /** Sets the headers of every answer, whatever the outcome; runs after `settle`. */
  finish(request: FastifyRequest, reply: FastifyReply): void {
    void reply.header('x-request-id', request.id);
    // Answers contain personal addresses: no cache may keep them.
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
    for (const [name, value] of SECURITY_HEADERS) if (!reply.hasHeader(name)) void reply.header(name, value);
    if (this.state.stopping) void reply.header('Connection', 'close');
    const { ignoredFields } = request.context;
    if (ignoredFields !== undefined) void reply.header('x-ignored-fields', ignoredFields.map(printable).join(', '));
    for (const [name, value] of request.context.responseHeaders) void reply.header(name, value);
  }

  /** Logs one line per request, never its URL, query, body or headers. Health checks are logged at `debug`. */
  logAccess(request: FastifyRequest, reply: FastifyReply): void {
    const { config, url } = request.routeOptions;
    this.log[config.publicRoute ? 'debug' : 'info'](
      {
        requestId: request.id,
        method: request.method,
        route: request.is404 || url === undefined ? null : url,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    );
  }

  /**
   * Answers a URL that the router cannot read (`%zz`) or a segment that is too long. Fastify runs no hook for these.
   */
  async refuseUnroutable(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    begin(request, reply);
    const refusal = await this.noSuchRoute(request);
    await this.settle(request);
    this.finish(request, reply);
    sendError(reply, refusal);
    this.logAccess(request, reply);
  }

  private passGate(request: FastifyRequest): Promise<void> {
    // A promise chain, not an async function: this runs for every request.
    return this.gate.admit(request).then(
      () => {
        if (!request.is404) nameIgnoredQuery(request);
        this.late?.begin(request);
        return this.passed(request);
      },
      (refusal: unknown) => {
        this.late?.begin(request);
        throw refusal;
      },
    );
  }

  private passed({ context: { accountId, response }, raw: { socket } }: FastifyRequest): void {
    this.connections.authenticated(socket);
    if (accountId !== undefined) this.ofAccounts?.begin(accountId, response);
  }

  /** A route for all paths that are left, `*`, hides no path that takes another method. */
  private isOthers({ routeOptions, url }: FastifyRequest): boolean {
    return routeOptions.url === '/*' && this.routes.methodsOf(url).length > 0;
  }

  private async refuseRoute(request: FastifyRequest): Promise<never> {
    throw await this.noSuchRoute(request);
  }

  /**
   * Returns 404 or 405. Still identifies the caller, for the headers of the answer; an unknown caller is no error here.
   */
  private async noSuchRoute(request: FastifyRequest): Promise<AppError> {
    await this.passGate(request).catch(() => undefined);
    const methods = this.routes.methodsOf(request.url);
    if (methods.length === 0 || methods.includes(request.method)) {
      return new AppError('not_found', 'There is nothing at this path.');
    }
    const Allow = methods.join(', ');
    return new AppError('method_not_allowed', `This path takes ${Allow}.`, { headers: { Allow } });
  }
}

/** A field name safe for a header: unprintable characters and separators become question marks. */
function printable(name: string): string {
  return name.replaceAll(/[^!-+\--~]/g, '?') || '?';
}

/** Gives a request its context, before any other step. */
export function begin(request: FastifyRequest, { raw: response }: FastifyReply): void {
  request.context = { requestId: request.id, responseHeaders: new Map(), response };
}

/** `/v1/jobs/` matches the route `/v1/jobs/:id` with an empty id: answer 404. */
function hasEmptyParameter({ params }: FastifyRequest): boolean {
  for (const name in params as Record<string, string> | undefined) {
    if ((params as Record<string, string>)[name] === '') return true;
  }
  return false;
}

/** RFC 9112 3.2: refuse a request with no Host or several: a proxy in front may have read it differently. */
function refuseWithoutOneHost(raw: IncomingMessage): void {
  if (isRepeated(raw, 'host')) throw new AppError('invalid_request', 'The request has more than one Host header.');
  if (raw.headers.host === undefined && raw.httpVersionMajor === 1 && raw.httpVersionMinor >= 1) {
    throw new AppError('invalid_request', 'The request has no Host header.');
  }
}
