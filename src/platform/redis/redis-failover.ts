import { Logger } from '@nestjs/common';
import { isRefusal, isWithoutPrimary } from './redis-errors.js';

export interface RedisFailoverOptions {
  /** Name of the logger. */
  readonly name: string;
  /** Logged once when Redis begins to fail: what this process does by itself now. */
  readonly lost: string;
  /** Logged when Redis serves again. */
  readonly back: string;
  /** How long no request asks Redis after a failure: a Redis that hangs must not delay each of them. */
  readonly retryMs: number;
  /** The failures that are followed by this pause; all when left out. */
  readonly pausesAfter?: (error: unknown) => boolean;
  /** Monotonic clock, milliseconds. */
  readonly now?: (() => number) | undefined;
}

interface Outage {
  readonly since: number;
  /** Since when no Redis serves; null: one does but answers with an error, because it is full or read-only for example. */
  awaySince: number | null;
  retryAt: number;
  /** A request is asking whether Redis is back. */
  isTrying: boolean;
}

/**
 * Asks Redis, or falls back to this process alone while Redis fails (decisions 6.9). One request at a time then finds out
 * whether it is back.
 */
export class RedisFailover {
  private readonly logger: Logger;
  private readonly now: () => number;
  private outage: Outage | null = null;

  constructor(private readonly options: RedisFailoverOptions) {
    this.logger = new Logger(options.name);
    this.now = options.now ?? ((): number => performance.now());
  }

  /** False while each process is by itself. */
  get isShared(): boolean {
    return this.outage === null;
  }

  /** How long Redis has failed, milliseconds; null while it serves. */
  get outageMs(): number | null {
    return this.outage === null ? null : this.now() - this.outage.since;
  }

  /** How long no Redis has served at all, milliseconds; null while one does, even if it answers with an error. */
  get awayMs(): number | null {
    const since = this.outage?.awaySince ?? null;
    return since === null ? null : this.now() - since;
  }

  /** @returns what Redis answers, or what `fallback` does while it fails */
  ask<T>(request: () => Promise<T>, fallback: () => T | Promise<T>): Promise<T> {
    const { outage } = this;
    if (outage === null) return this.watch(request(), fallback);
    if (outage.isTrying || this.now() < outage.retryAt) return Promise.resolve(fallback());
    outage.isTrying = true;
    return this.watch(request(), fallback).finally(() => {
      outage.isTrying = false;
    });
  }

  /** Like `ask`, for a request that was made although Redis may fail. */
  watch<T>(request: Promise<T>, fallback: () => T | Promise<T>): Promise<T> {
    const askedAt = this.now();
    // Promise callbacks rather than an async function: the rate limit of every request comes here.
    return request.then(
      (answer) => {
        this.noteAnswer();
        return answer;
      },
      (error: unknown) => {
        this.noteFailure(askedAt, error);
        return fallback();
      },
    );
  }

  private noteAnswer(): void {
    if (this.outage === null) return;
    this.outage = null;
    this.logger.log(this.options.back);
  }

  private noteFailure(askedAt: number, error: unknown): void {
    const { lost, retryMs, pausesAfter = () => true } = this.options;
    if (this.outage === null) {
      this.outage = { since: askedAt, awaySince: null, retryAt: askedAt, isTrying: false };
      this.logger.warn({ err: error }, lost);
    }
    const isAway = !isRefusal(error) || isWithoutPrimary(error);
    this.outage.awaySince = isAway ? (this.outage.awaySince ?? askedAt) : null;
    this.outage.retryAt = pausesAfter(error) ? this.now() + retryMs : askedAt;
  }
}
