import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { AppConfig } from '../config/app-config.js';
import { HealthDetails } from '../health/health-details.js';
import { Liveness } from '../health/liveness.js';
import { errorBody } from '../http/error-reply.js';
import { Metrics } from '../metrics/metrics.js';
import { MetricsAccess } from './metrics-access.js';

/** Until a port that somebody else holds is tried again: often it is a process that is about to end. */
const AGAIN_MS = 5000;
/** Of one request, its headers included, and of a connection on which nothing moves. */
const PATIENCE_MS = 10_000;
/** Nobody but a few scrapers comes here. */
const MAX_CONNECTIONS = 50;
const MAX_HEADER_OCTETS = 8 * 1024;
const LIVE = '/health/live';
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * `/metrics` and `/health/live` on a port of its own, for a process whose port is for the public. A port that cannot be had is a warning and no
 * more: the service does not depend on being watched.
 */
@Injectable()
export class MetricsListener implements OnApplicationShutdown {
  private readonly logger = new Logger('Metrics');
  private server: Server | null = null;
  private again: NodeJS.Timeout | undefined;
  private trouble: string | null = null;
  private closed = false;

  constructor(
    private readonly metrics: Metrics,
    private readonly access: MetricsAccess,
    private readonly config: AppConfig,
    private readonly liveness: Liveness,
    health: HealthDetails,
  ) {
    health.add('metrics', () => ({
      state: { listening: this.server?.listening ?? false },
      warnings: this.trouble === null ? [] : [this.trouble],
    }));
  }

  /** The port it listens on; null while it does not. */
  get port(): number | null {
    const address = this.server?.address();
    return typeof address === 'object' && address !== null ? address.port : null;
  }

  /** Returns at once. @param retryMs until a port that could not be had is tried again */
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
      if (this.trouble === null) this.logger.warn({ err, port }, 'metrics cannot be shown; trying again');
      this.trouble = `metrics cannot be shown: port ${port} cannot be had (${err.code ?? 'unknown'})`;
      this.again = setTimeout(() => this.start(retryMs), retryMs).unref();
    });
    server.listen(port, this.config.http.host, () => {
      this.trouble = null;
      this.server = server;
      this.logger.log({ port: this.port }, 'metrics are shown');
      if (this.closed) this.onApplicationShutdown();
    });
  }

  /** Runs after everything else has stopped: what a process does while it ends can be watched. */
  onApplicationShutdown(): void {
    this.closed = true;
    clearTimeout(this.again);
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const [path] = url.split('?', 1);
      if (path !== '/metrics' && path !== LIVE)
        return refuse(response, 404, 'not_found', `Only /metrics and ${LIVE} are here.`);
      if (method !== 'GET' && method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        return refuse(response, 405, 'method_not_allowed', 'This path takes GET, HEAD.');
      }
      if (path === LIVE) return this.live(response);
      if (!this.access.grants(headers.authorization ?? '')) {
        response.setHeader('WWW-Authenticate', 'Bearer');
        return refuse(response, 401, 'unauthorized', 'Send the metrics token as a bearer token.');
      }
      send(response, 200, Registry.PROMETHEUS_CONTENT_TYPE, await this.metrics.read());
    } catch (err) {
      this.logger.error({ err }, 'metrics could not be read');
      refuse(response, 500, 'internal_error', 'Something went wrong on our side.');
    }
  }

  /** Node takes one new connection in a turn of the event loop: here no callers stand in line before a probe. */
  private live(response: ServerResponse): void {
    const stuck = this.liveness.stuck();
    if (stuck === null) return send(response, 200, JSON_TYPE, JSON.stringify({ status: 'ok' }));
    response.setHeader('Retry-After', 1);
    refuse(response, 503, 'service_unavailable', stuck);
  }
}

function refuse(response: ServerResponse, status: number, ...[code, message]: Parameters<typeof errorBody>): void {
  send(response, status, JSON_TYPE, JSON.stringify(errorBody(code, message)));
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
