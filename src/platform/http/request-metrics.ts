import { Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { BoundCounter, BoundHistogram } from '../metrics/bound-metric.js';
import { Metrics } from '../metrics/metrics.js';

/** Seconds. Known results are answered in milliseconds, probes of a mail host in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Methods shown as labels: a request to an unknown route may name any method. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const NO_ROUTE = 'none';
/** Answers that alerts count: each route shows them from the start, at 0. */
const OUR_FAULTS = [500, 503];

/**
 * Counts requests by route pattern, never by path, and by status. A request to an unknown route counts under `none`.
 */
@Injectable()
export class RequestMetrics {
  private readonly requests: BoundCounter<['route', 'method', 'status']>;
  private readonly seconds: BoundHistogram<['route', 'method']>;

  constructor({ registry }: Metrics) {
    const requests = 'Requests by the pattern of their route (none: to no route), method and status of the answer';
    this.requests = new BoundCounter(registry, 'mailvet_http_requests_total', requests, ['route', 'method', 'status']);
    const seconds = 'Time from a request to the end of its answer';
    this.seconds = new BoundHistogram(registry, 'mailvet_http_request_seconds', seconds, ['route', 'method'], BOUNDS);
  }

  /** Call it before routes are declared. */
  serve(instance: FastifyInstance): void {
    instance.addHook('onRoute', ({ url: route, method }) => {
      for (const one of [method].flat()) {
        for (const status of OUR_FAULTS) this.requests.child(route, known(one), status);
      }
    });
    instance.addHook('onResponse', (request, reply, done) => {
      this.ended(request, reply);
      done();
    });
  }

  ended(request: FastifyRequest, reply: FastifyReply): void {
    const route = request.routeOptions.url ?? NO_ROUTE;
    const method = known(request.method);
    this.seconds.child(route, method).observe(reply.elapsedTime / 1000);
    this.requests.child(route, method, reply.statusCode).value++;
  }
}

function known(method: string): string {
  return METHODS.has(method) ? method : 'other';
}
