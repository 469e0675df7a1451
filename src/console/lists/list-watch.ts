import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../platform/errors/app-error.js';
import { Shares } from '../../platform/http/shares.js';
import type { ListResponse } from './lists.response.js';

const STREAMS_AT_ONCE = { total: 200, perAccount: 10 };
const EVERY_MS = 1000;
/** A browser reconnects after this long, and its session is checked again. */
const LIFE_MS = 5 * 60_000;
const RETRY_AFTER_SECONDS = 5;

/** Server-sent events about the progress of lists, a bounded number of streams at once. */
@Injectable()
export class ListWatch implements BeforeApplicationShutdown {
  private readonly logger = new Logger('Console');
  private readonly streams = new Shares(STREAMS_AT_ONCE);
  private readonly stop = new AbortController();

  /**
   * Yields the text of events: the list whenever it changed, and its end.
   * @param read throws when the list is gone
   * @param gone aborted when the client disconnects
   * @throws AppError `quota_exceeded`, `service_unavailable` if too many streams are open
   */
  open(account: string, read: () => Promise<ListResponse>, gone: AbortSignal): AsyncGenerator<string> {
    const taking = this.streams.reserve(account, 1);
    if (taking !== 'taken') throw tooMany(taking);
    // The generator of a client that disconnects before the first event never begins, nor ends.
    const release = once(() => this.streams.release(account, 1));
    gone.addEventListener('abort', release, { once: true });
    if (gone.aborted) release();
    return this.events(read, AbortSignal.any([gone, this.stop.signal, AbortSignal.timeout(LIFE_MS)]), release);
  }

  /** Ends every stream: browsers connect to another process. */
  beforeApplicationShutdown(): void {
    this.stop.abort();
  }

  private async *events(
    read: () => Promise<ListResponse>,
    ended: AbortSignal,
    release: () => void,
  ): AsyncGenerator<string> {
    let sent = '';
    try {
      while (!ended.aborted) {
        const list = await read();
        const data = JSON.stringify(list);
        // A comment keeps proxies from closing a quiet stream.
        yield data === sent ? ':\n\n' : `event: progress\ndata: ${data}\n\n`;
        sent = data;
        if (list.status === 'completed') {
          yield 'event: end\ndata: {}\n\n';
          return;
        }
        await delay(EVERY_MS, undefined, { signal: ended }).catch(() => undefined);
      }
    } catch (err) {
      // The client polls, and gets the error as an answer.
      if (!(err instanceof AppError)) this.logger.warn({ err }, 'the progress of a list could not be read');
    } finally {
      release();
    }
  }
}

function tooMany(taking: 'account_full' | 'process_full'): AppError {
  const retryAfterSeconds = RETRY_AFTER_SECONDS;
  return taking === 'account_full'
    ? new AppError('quota_exceeded', 'Too many lists of the account are watched at once.', { retryAfterSeconds })
    : new AppError('service_unavailable', 'Too many lists are watched at once; retry.', { retryAfterSeconds });
}

function once(work: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    work();
  };
}
