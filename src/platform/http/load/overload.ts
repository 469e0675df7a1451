import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { errorBody } from '../error-reply.js';
import { requestIdFor } from '../request-id.js';
import { SECURITY_HEADERS } from '../security-headers.js';
import { EventLoopLag } from './event-loop-lag.js';

export interface OverloadOptions {
  /** Requests that are being answered at once. Most wait for a mail host and cost memory alone. */
  readonly maxRequests: number;
  /** While the event loop is later than this, a growing share of the requests is refused. */
  readonly lateMs: number;
  /** While it is earlier than this, a shrinking share is. */
  readonly fineMs: number;
}

const OPTIONS: OverloadOptions = { maxRequests: 4000, lateMs: 500, fineMs: 200 };
/** By how much the refused share grows and shrinks with each look at the event loop: soon enough, and without swinging. */
const GROWTH = 0.1;
const SHRINKAGE = 0.02;
/** Some are always let in: by them it is seen that the load is over. */
const MAX_SHARE = 0.95;
const RETRY_AFTER_SECONDS = 2;

const BODY = JSON.stringify(errorBody('service_unavailable', 'The service has too much to do at the moment; retry.'));
const HEADERS: readonly (readonly [string, string])[] = [
  ['Content-Type', 'application/json; charset=utf-8'],
  ['Content-Length', String(Buffer.byteLength(BODY))],
  ['Retry-After', String(RETRY_AFTER_SECONDS)],
  ['Cache-Control', 'no-store'],
  ...SECURITY_HEADERS,
];

/**
 * Refuses requests while the process has too much to do, before anything else is done for them. Health is always answered, so that
 * a process is not restarted for being busy.
 */
export class Overload {
  private share = 0;
  /** Adds up the share: a request is refused when a whole one has come together. */
  private owed = 0;
  private answering = 0;
  private readonly refusals = { lag: 0, requests: 0 };

  /** @param onChange called when requests begin to be refused for lag, and when none are any more */
  constructor(
    private readonly onChange: (isOverloaded: boolean) => void = () => undefined,
    private readonly options = OPTIONS,
    readonly lag = new EventLoopLag(),
  ) {}

  /** Requests that are being answered. */
  get requests(): number {
    return this.answering;
  }

  /** How many were refused, and why. */
  get refused(): Readonly<Record<'lag' | 'requests', number>> {
    return this.refusals;
  }

  /** Looks at the event loop as long as a server listens. */
  watch(server: Server): void {
    server.once('listening', () => this.lag.start(() => this.adjust()));
    server.once('close', () => this.lag.stop());
  }

  /** Puts the refusal before what answers requests. */
  before(listener: RequestListener): RequestListener {
    return (request, response) => {
      if (request.url?.startsWith('/health/') === true) return listener(request, response);
      const why = this.refusal();
      if (why !== null) {
        this.refusals[why]++;
        return refuse(request, response);
      }
      this.answering++;
      response.once('close', this.leave);
      return listener(request, response);
    };
  }

  /** To be called after each look at the event loop. */
  adjust(): void {
    const { lateMs, fineMs } = this.options;
    const before = this.share;
    if (this.lag.ms > lateMs) this.share = Math.min(MAX_SHARE, before + GROWTH);
    else if (this.lag.ms < fineMs) this.share = Math.max(0, before - SHRINKAGE);
    if (before > 0 !== this.share > 0) this.onChange(this.share > 0);
  }

  private readonly leave = (): void => {
    this.answering--;
  };

  private refusal(): 'lag' | 'requests' | null {
    if (this.answering >= this.options.maxRequests) return 'requests';
    if (this.share === 0) return null;
    this.owed += this.share;
    if (this.owed < 1) return null;
    this.owed -= 1;
    return 'lag';
  }
}

/** The cheapest answer there is: no route, key, context or log line. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  response.statusCode = 503;
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestIdFor(request));
  response.end(BODY);
}
