import type { FastifyRequest } from 'fastify';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { Injectable, Logger, Optional } from '@nestjs/common';
import { AppError } from '../platform/errors/app-error.js';
import { Shares, type SharesOptions, type Taking } from '../platform/http/shares.js';

const MIB = 1024 * 1024;

export interface ResultStreamsOptions {
  /** Responses that are sent at once. */
  readonly streams: SharesOptions;
  /** Characters of results that they hold in memory. */
  readonly characters: SharesOptions;
  /** A client that reads nothing for this long is cut off. */
  readonly stallMs: number;
  /** A client that reads nothing for this long is cut off if another response needs its slot. */
  readonly giveWayMs: number;
}

const OPTIONS: ResultStreamsOptions = {
  streams: { total: 100, perAccount: 10 },
  characters: { total: 64 * MIB, perAccount: 20 * MIB },
  stallMs: 60_000,
  giveWayMs: 10_000,
};
/** Interval of the check for stalled clients. */
const LOOK_EVERY_MS = 5000;
const RETRY_AFTER_SECONDS = 5;

/** Limits how many result responses a process sends at once, their memory, and how long a client may stall. */
@Injectable()
export class ResultStreams {
  private readonly logger = new Logger('Results');
  private readonly streams: Shares;
  private readonly characters: Shares;
  private readonly open = new Set<ResultStream>();
  private readonly refusals = { account: 0, process: 0 };
  private timer: NodeJS.Timeout | null = null;

  constructor(@Optional() private readonly options: ResultStreamsOptions = OPTIONS) {
    this.streams = new Shares(options.streams);
    this.characters = new Shares(options.characters);
  }

  /** Number of open responses. */
  get count(): number {
    return this.open.size;
  }

  /** Number of refused responses, by the limit that refused them. */
  get refused(): Readonly<Record<'account' | 'process', number>> {
    return this.refusals;
  }

  /**
   * Must be called before any result is read. Closing the response frees its slot.
   * @throws AppError `quota_exceeded`, `service_unavailable` if too many responses are open
   */
  begin(account: string, response: ServerResponse): ResultStream {
    let taking = this.streams.reserve(account, 1);
    if (taking === 'process_full' && this.cutSlowest()) taking = this.streams.reserve(account, 1);
    this.refuseUnlessTaken(taking);
    const stream = new ResultStream(account, response, (more) =>
      this.refuseUnlessTaken(this.characters.reserve(account, more)),
    );
    this.open.add(stream);
    this.timer ??= setInterval(() => this.cutStalled(), LOOK_EVERY_MS).unref();
    response.once('close', () => this.end(stream));
    // The client disconnected while the job was looked up.
    if (response.destroyed) this.end(stream);
    return stream;
  }

  /**
   * Sends texts at the reader's pace. A failure cuts the connection, so that a part is not taken for all of it.
   * @param what it is, for the log
   */
  send(texts: AsyncGenerator<string>, { id: requestId, context }: FastifyRequest, what: string): Readable {
    const stream = Readable.from(texts, { highWaterMark: 1 });
    stream.on('error', (err) => {
      this.logger.error({ err, requestId }, `${what} was cut off`);
      if (context.response.headersSent) cutOff(context.response);
    });
    return stream;
  }

  /** Cuts off clients that have stalled for too long. */
  cutStalled(now = performance.now()): void {
    for (const stream of this.open) if (stream.stalledMs(now) >= this.options.stallMs) this.cut(stream);
  }

  private cutSlowest(): boolean {
    const now = performance.now();
    const [slowest] = [...this.open].toSorted((a, b) => b.stalledMs(now) - a.stalledMs(now));
    if (slowest === undefined || slowest.stalledMs(now) < this.options.giveWayMs) return false;
    this.cut(slowest);
    return true;
  }

  /** Frees the slot at once. */
  private cut(stream: ResultStream): void {
    this.end(stream);
    cutOff(stream.response);
  }

  private end(stream: ResultStream): void {
    if (!this.open.delete(stream)) return;
    this.streams.release(stream.account, 1);
    this.characters.release(stream.account, stream.held);
    if (this.open.size > 0 || this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
  }

  private refuseUnlessTaken(taking: Taking): void {
    if (taking === 'taken') return;
    const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
    if (taking === 'account_full') {
      this.refusals.account++;
      throw new AppError(
        'quota_exceeded',
        'Results of this account are being read by too many calls at once.',
        details,
      );
    }
    this.refusals.process++;
    throw new AppError('service_unavailable', 'Results are being read by too many calls at once; retry.', details);
  }
}

/**
 * Cuts a connection so that nobody takes what came for all of it: over HTTP 1.0, which proxies speak too, an answer has
 * no chunks, and a connection that just closes is its end. A reset may lose what was sent, so it is for those alone.
 */
function cutOff(response: ServerResponse): void {
  if (!response.chunkedEncoding) response.socket?.resetAndDestroy();
  response.destroy();
}

/** An open response with results. */
export class ResultStream {
  private characters = 0;
  private taken = 0;
  private since = performance.now();

  constructor(
    readonly account: string,
    readonly response: ServerResponse,
    private readonly take: (characters: number) => void,
  ) {}

  /** Peak of the characters held: memory is reserved for the peak. */
  get held(): number {
    return this.characters;
  }

  /** @throws AppError if there is no room for so many */
  hold(characters: number): void {
    if (characters <= this.characters) return;
    this.take(characters - this.characters);
    this.characters = characters;
  }

  /** Returns how long the client has read nothing: the next piece is written once the kernel took the previous one. */
  stalledMs(now: number): number {
    const taken = this.response.socket?.bytesWritten ?? 0;
    if (taken !== this.taken) {
      this.taken = taken;
      this.since = now;
    }
    return now - this.since;
  }
}
