import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BoundCounter, BoundHistogram, type Spread, type Tally } from '../metrics/bound-metric.js';
import { Metrics } from '../metrics/metrics.js';

/** Seconds. Known results are answered in milliseconds, probes of a mail host in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Methods shown as labels: a request to an unknown route may name any method. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const NO_ROUTE = 'none';
/** Answers that alerts count: each route shows them from the start, at 0. */
const OUR_FAULTS = [500, 503];

/** Counters of one route and method. */
interface Served {
  readonly seconds: Spread;
  /** By status. */
  readonly requests: Map<number, Tally>;
}

/**
 * Counts requests by route pattern, never by path, and by status. A request to an unknown route counts under `none`.
 */
@Injectable()
export class RequestMetrics {
  private readonly requests: BoundCounter<'route' | 'method' | 'status'>;
  private readonly seconds: BoundHistogram<'route' | 'method'>;
  private readonly served = new Map<string, Map<string, Served>>();

  constructor({ registry }: Metrics) {
    this.requests = new BoundCounter(registry, {
      name: 'mailvet_http_requests_total',
      help: 'Requests by the pattern of their route (none: to no route), method and status of the answer',
      labelNames: ['route', 'method', 'status'],
    });
    this.seconds = new BoundHistogram(
      registry,
      {
        name: 'mailvet_http_request_seconds',
        help: 'Time from a request to the end of its answer',
        labelNames: ['route', 'method'],
      },
      BOUNDS,
    );
  }

  /** Call it before routes are declared. */
  serve(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ url: route, method }) => {
      for (const one of [method].flat()) {
        for (const status of OUR_FAULTS) this.requests.child({ route, method: known(one), status });
      }
    });
    instance.addHook('onResponse', (request, reply, done) => {
      this.ended(request, reply);
      done();
    });
  }

  ended(request: FastifyRequest, reply: FastifyReply): void {
    const { url } = request.routeOptions;
    const served = url === undefined ? this.of(NO_ROUTE, known(request.method)) : this.of(url, request.method);
    served.seconds.observe(reply.elapsedTime / 1000);
    const { statusCode: status } = reply;
    (served.requests.get(status) ?? this.answered(url ?? NO_ROUTE, request.method, status, served)).value++;
  }

  private of(route: string, method: string): Served {
    return this.served.get(route)?.get(method) ?? this.add(route, method);
  }

  private add(route: string, method: string): Served {
    const served: Served = { seconds: this.seconds.child({ route, method }), requests: new Map() };
    const ofRoute = this.served.get(route) ?? new Map<string, Served>();
    ofRoute.set(method, served);
    this.served.set(route, ofRoute);
    return served;
  }

  private answered(route: string, method: string, status: number, { requests }: Served): Tally {
    const tally = this.requests.child({ route, method: known(method), status });
    requests.set(status, tally);
    return tally;
  }
}

function known(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
