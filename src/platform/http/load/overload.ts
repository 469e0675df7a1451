import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { errorBody } from '../error-reply.js';
import { requestIdFor } from '../request-id.js';
import { SECURITY_HEADERS } from '../security-headers.js';
import { AccountRequests } from './account-requests.js';
import { EventLoopLag } from './event-loop-lag.js';

export interface OverloadOptions {
  readonly maxRequests: number;
  /** Above this lag of the event loop, the share of refused requests grows. */
  readonly lateMs: number;
  /** Below this lag, the share shrinks. */
  readonly fineMs: number;
}

export const LATENESS = { lateMs: 500, fineMs: 200 } as const;
/** Step by which the refused share grows or shrinks at each sample: fast enough, without oscillation. */
const GROWTH = 0.1;
const SHRINKAGE = 0.02;
/** Some requests are always accepted: they show when the overload is over. */
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
 * Refuses requests under overload, before any other work. Health is always answered, so that a busy process is not
 * restarted.
 */
export class Overload {
  private share = 0;
  /** Accumulates the share: a request is refused each time it reaches one. */
  private owed = 0;
  private answering = 0;
  readonly lag = new EventLoopLag();
  readonly ofAccounts = new AccountRequests(() => this.room);
  private readonly refusals = { lag: 0, requests: 0 };

  /** @param onChange called when refusals for lag begin and end */
  constructor(
    private readonly onChange: (isOverloaded: boolean) => void = () => undefined,
    private readonly options: OverloadOptions,
  ) {}

  /** Requests being answered. */
  get requests(): number {
    return this.answering;
  }

  /** Refused requests by reason. */
  get refused(): Readonly<Record<'lag' | 'requests', number>> {
    return this.refusals;
  }

  /** Samples the event loop while a server listens. */
  watch(server: Server): void {
    server.once('listening', () => this.lag.start(() => this.adjust()));
    server.once('close', () => this.lag.stop());
  }

  /** Wraps a listener with the refusal. */
  before(listener: RequestListener): RequestListener {
    return (request, response) => {
      const isHealth = request.url?.startsWith('/health/') === true;
      const why = isHealth ? null : this.refusal();
      if (why !== null) {
        this.refusals[why]++;
        return refuse(request, response);
      }
      const counted = isHealth ? 0 : 1;
      this.answering += counted;
      // One listener for all that is counted: a streamed answer has ten others.
      response.once('close', () => {
        this.answering -= counted;
        this.ofAccounts.end(response);
      });
      return listener(request, response);
    };
  }

  /** Call it after each sample of the event loop. */
  adjust(): void {
    const { lateMs, fineMs } = this.options;
    const before = this.share;
    if (this.lag.ms > lateMs) this.share = Math.min(MAX_SHARE, before + GROWTH);
    else if (this.lag.ms < fineMs) this.share = Math.max(0, before - SHRINKAGE);
    if (before > 0 !== this.share > 0) this.onChange(this.share > 0);
  }

  /** How many requests may be answered beside the others, of which one is the one that asks. */
  private get room(): number {
    return this.options.maxRequests - this.answering + 1;
  }

  private refusal(): 'lag' | 'requests' | null {
    if (this.answering >= this.options.maxRequests) return 'requests';
    if (this.share === 0) return null;
    this.owed += this.share;
    if (this.owed < 1) return null;
    this.owed -= 1;
    return 'lag';
  }
}

/** The cheapest possible answer: no route, key, context or log line. */
function refuse(request: IncomingMessage, response: ServerResponse): void {
  response.statusCode = 503;
  for (const [name, value] of HEADERS) response.setHeader(name, value);
  response.setHeader('X-Request-Id', requestIdFor(request));
  response.end(BODY);
}
