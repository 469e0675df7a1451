import type { FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import { AppError } from '../../errors/app-error.js';
import { SMALL_BODY, type BodiesInFlight, type HeldBody } from './bodies-in-flight.js';
import type { ArrivingBody, ReadBody } from './arriving-body.js';
import { IgnoredFields } from './ignored-fields.js';
import { LargeBody } from './large-body.js';
import { Octets } from './octets.js';
import { readSmallBody } from './small-body.js';

/** Default limit of values and names in a body. */
const MAX_VALUES = 10_000;
/** Octets of one body to scan before other requests get a turn. */
const TURN_OCTETS = 64 * 1024;

type Done = (error: Error | null, body?: unknown) => void;

/**
 * Reads the JSON body of a request and keeps the fields of its route. A small body is parsed whole; a larger one is
 * checked as it arrives, and other fields are never kept or built.
 */
export function readJsonBody(request: FastifyRequest, payload: Readable, bodies: BodiesInFlight, done: Done): void {
  const { bodyFields = [], maxBodyValues = MAX_VALUES } = request.routeOptions.config;
  const reader: BodyReader = {
    whole: (octets) => readSmallBody(octets, bodyFields),
    arriving: () => new LargeBody(bodyFields, maxBodyValues),
  };
  new Arrival(request, payload, bodies, reader, done).begin();
}

/** Reads a body that is checked as it arrives, whatever its size. */
export function readArrivingBody(
  request: FastifyRequest,
  payload: Readable,
  bodies: BodiesInFlight,
  body: ArrivingBody,
  done: Done,
): void {
  const whole = (octets: Buffer): ReadBody => {
    body.write(octets);
    return body.end();
  };
  new Arrival(request, payload, bodies, { whole, arriving: () => body }, done).begin();
}

interface BodyReader {
  /** Reads a small body. */
  whole(octets: Buffer): ReadBody;
  /** Begins to read a larger one. */
  arriving(): ArrivingBody;
}

class Arrival {
  private readonly limit: number;
  /** Octets by `Content-Length`; 0 without one. */
  private readonly declared: number;
  private readonly small = new Octets();
  private large: ArrivingBody | null = null;
  private held: HeldBody | null = null;
  private size = 0;
  private sinceTurn = 0;
  /** The first fault found. A body that is too large is reported first, so the rest is counted and dropped. */
  private fault: Error | null = null;
  private over = false;

  constructor(
    private readonly request: FastifyRequest,
    private readonly payload: Readable,
    private readonly bodies: BodiesInFlight,
    private readonly reader: BodyReader,
    private readonly done: Done,
  ) {
    this.limit = request.routeOptions.bodyLimit ?? 0;
    this.declared = Number(request.headers['content-length'] ?? 0);
  }

  begin(): void {
    // The client left while its key was looked up: no event would tell us later.
    if (this.request.context.response.destroyed) return this.onCut();
    try {
      if (this.declared > this.limit) throw tooLarge(this.limit);
      if (this.declared > SMALL_BODY) this.hold();
    } catch (error) {
      this.end(error as Error);
      return;
    }
    // Not fields of the object: V8 of Node 24 keeps objects with functions of their own, and all that these refer to, until a
    // full collection of garbage.
    const onCut = (): void => this.onCut();
    this.payload
      .on('data', (chunk: Buffer) => this.onData(chunk))
      .on('end', () => this.onEnd())
      .on('error', onCut)
      .on('close', onCut);
    this.payload.resume();
  }

  private onData(chunk: Buffer): void {
    if (this.over) return;
    try {
      this.size += chunk.length;
      if (this.size > this.limit) throw tooLarge(this.limit);
      if (this.fault === null) this.read(chunk);
    } catch (error) {
      this.end(error as Error);
    }
  }

  private onEnd(): void {
    if (this.over) return;
    try {
      if (this.fault !== null) throw this.fault;
      const { value, ignored } = this.large?.end() ?? this.reader.whole(this.small.take());
      if (ignored.length > 0) this.name(ignored);
      if (this.held !== null) this.bodies.arrived(this.held);
      this.end(null, value);
    } catch (error) {
      this.end(error as Error);
    }
  }

  /** After those of the query. */
  private name(ignored: readonly string[]): void {
    const { context } = this.request;
    const all = new IgnoredFields(context.ignoredFields);
    for (const name of ignored) all.add(name);
    context.ignoredFields = all.names;
  }

  private onCut(): void {
    if (!this.over) this.end(new AppError('invalid_request', 'The body did not arrive whole.'));
  }

  private read(chunk: Buffer): void {
    if (this.large !== null) return this.scan(this.large, chunk);
    this.small.add(chunk);
    if (this.size <= SMALL_BODY) return;
    if (this.held === null) this.hold();
    this.large = this.reader.arriving();
    this.scan(this.large, this.small.take());
  }

  private scan(large: ArrivingBody, chunk: Buffer): void {
    try {
      large.write(chunk);
    } catch (error) {
      this.fault = error as Error;
      this.held!.release();
      return;
    }
    this.held!.grow(Math.max(this.size, this.declared), large.values);
    this.sinceTurn += chunk.length;
    if (this.sinceTurn < TURN_OCTETS) return;
    this.sinceTurn = 0;
    this.payload.pause();
    setImmediate(() => {
      if (!this.over) this.payload.resume();
    });
  }

  /** Reserves room for the body until its call is answered or its client is gone. */
  private hold(): void {
    const { accountId = '', response } = this.request.context;
    const held = this.bodies.begin(accountId, (refusal) => this.end(refusal));
    this.held = held;
    response.once('close', () => held.release());
    held.grow(Math.max(this.size, this.declared), 0);
  }

  private end(error: Error | null, body?: unknown): void {
    if (this.over) return;
    this.over = true;
    if (error !== null) this.held?.release();
    this.done(error, body);
  }
}

function tooLarge(limit: number): AppError {
  const kib = limit / 1024;
  const size = kib < 1024 ? `${kib} KiB` : `${kib / 1024} MiB`;
  return new AppError('payload_too_large', `The body is larger than ${size}.`);
}
