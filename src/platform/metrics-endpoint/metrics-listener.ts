import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { AppConfig } from '../config/app-config.js';
import { HealthDetails } from '../health/health-details.js';
import { HealthService } from '../health/health.service.js';
import { AppError } from '../errors/app-error.js';
import { errorBody } from '../http/error-reply.js';
import { ERROR_STATUS } from '../http/error-status.js';
import { toAppError } from '../http/to-app-error.js';
import { Metrics } from '../metrics/metrics.js';
import { MetricsAccess } from './metrics-access.js';

/** Delay before a port that is in use is tried again: often another process is about to end. */
const AGAIN_MS = 5000;
/** Time limit of a request, headers included, and of an idle connection. */
const PATIENCE_MS = 10_000;
/** Only a few scrapers connect here. */
const MAX_CONNECTIONS = 50;
const MAX_HEADER_OCTETS = 8 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

interface Content {
  readonly type: string;
  readonly text: string;
}

/**
 * Serves `/metrics` and health on a separate port, for a process whose main port is public. Node accepts one
 * connection per port and event-loop turn: on this port a health probe does not queue behind callers. If the port is
 * not available, the process logs a warning and continues.
 */
@Injectable()
export class MetricsListener implements OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: Server | null = null;
  private again: NodeJS.Timeout | undefined;
  private trouble: string | null = null;
  private closed = false;
  private readonly paths: Readonly<Record<string, (authorization: string) => Content | Promise<Content>>> = {
    '/metrics': (authorization) => this.readMetrics(authorization),
    '/health/live': () => json(this.health.live()),
    '/health/ready': async () => json(await this.health.ready()),
    '/health/startup': () => json(this.health.startup()),
  };

  constructor(
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
    private readonly config: AppConfig,
    private readonly health: HealthService,
    details: HealthDetails,
  ) {
    details.add('metrics', () => ({
      state: { listening: this.server?.listening ?? false },
      warnings: this.trouble === null ? [] : [this.trouble],
    }));
  }

  /** The port it listens on; null while it does not listen. */
  get port(): number | null {
    const address = this.server?.address();
    return typeof address === 'object' && address !== null ? address.port : null;
  }

  /**
   * Returns at once.
   * @param retryMs delay before an unavailable port is tried again
   */
  start(retryMs = AGAIN_MS): void {
    const { port } = this.config.metrics;
    if (port === null || this.closed) return;
    const server = createServer(
      { requestTimeout: PATIENCE_MS, headersTimeout: PATIENCE_MS, maxHeaderSize: MAX_HEADER_OCTETS },
      (request, response) => void this.answer(request, response),
    );
    server.maxConnections = MAX_CONNECTIONS;
    server.setTimeout(PATIENCE_MS);
    server.on('error', (err: NodeJS.ErrnoException) => {
      if (this.trouble === null) this.logger.warn({ err, port }, 'metrics cannot listen; trying again');
      this.trouble = `metrics cannot be shown: port ${port} cannot be had (${err.code ?? 'unknown'})`;
      this.again = setTimeout(() => this.start(retryMs), retryMs).unref();
    });
    server.listen(port, this.config.http.host, () => {
      this.trouble = null;
      this.server = server;
      this.logger.log({ port: this.port }, 'metrics listen');
      if (this.closed) this.onApplicationShutdown();
    });
  }

  /** Runs after everything else has stopped, so that the shutdown can be observed. */
  onApplicationShutdown(): void {
    this.closed = true;
    clearTimeout(this.again);
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { type, text } = await this.read(request);
      send(response, 200, type, text);
    } catch (thrown) {
      const error = toAppError(thrown);
      if (error.code === 'internal_error') this.logger.error({ err: thrown }, 'metrics or health could not be read');
      for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
      if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', Math.ceil(error.retryAfterSeconds));
      send(response, ERROR_STATUS[error.code], JSON_TYPE, JSON.stringify(errorBody(error.code, error.message)));
    }
  }

  private async read({ method, url = '', headers }: IncomingMessage): Promise<Content> {
    const [path = ''] = url.split('?', 1);
    const read = Object.hasOwn(this.paths, path) ? this.paths[path] : undefined;
    if (read === undefined) throw new AppError('not_found', `Only ${Object.keys(this.paths).join(', ')} are here.`);
    if (method !== 'GET' && method !== 'HEAD') {
      throw new AppError('method_not_allowed', 'This path takes GET, HEAD.', { headers: { Allow: 'GET, HEAD' } });
    }
    return read(headers.authorization ?? '');
  }

  private async readMetrics(authorization: string): Promise<Content> {
    this.access.check(authorization);
    return { type: Registry.PROMETHEUS_CONTENT_TYPE, text: await this.metrics.read() };
  }
}

function json(value: unknown): Content {
  return { type: JSON_TYPE, text: JSON.stringify(value) };
}

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
