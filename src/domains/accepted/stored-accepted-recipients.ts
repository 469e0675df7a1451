import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { AcceptedAt, AcceptedRecipients } from '../../engine/smtp/accepted-recipients.js';
import { AcceptedRecipientsRepository } from './accepted-recipients.repository.js';

/** Minimum interval between writes of the same acceptance: thousands of recipients of a domain share one row. */
const EVERY_MS = 60 * 60_000;
/** Maximum acceptances whose last write is remembered. */
const MAX_WRITTEN = 20_000;
/** Maximum unwritten acceptances; more are dropped, which costs at most one extra probe of a postmaster. */
const MAX_WAITING = 10_000;
const ROWS_AT_ONCE = 200;
const WARN_EVERY_MS = 60_000;

/** Stores acceptances in the background: the checks that find them do not wait for the write. */
@Injectable()
export class StoredAcceptedRecipients implements AcceptedRecipients, OnApplicationShutdown {
  private readonly logger = new Logger('AcceptedRecipients');
  private readonly written = new Map<string, number>();
  private readonly waiting = new Map<string, AcceptedAt>();
  private writing: Promise<void> | null = null;
  private lastWarned = Number.NEGATIVE_INFINITY;

  constructor(private readonly repository: AcceptedRecipientsRepository) {}

  async isKnown(at: AcceptedAt): Promise<boolean> {
    try {
      await this.writing;
      return await this.repository.isKnown(at);
    } catch (error) {
      this.warn(error);
      return false;
    }
  }

  note(at: AcceptedAt): void {
    const key = `${at.domain} ${at.host} ${at.egressId}`;
    const last = this.written.get(key);
    const isRecent = last !== undefined && performance.now() - last < EVERY_MS;
    if (isRecent || this.waiting.size >= MAX_WAITING) return;
    this.remember(key);
    this.waiting.set(key, at);
    this.writing ??= this.write().finally(() => {
      this.writing = null;
    });
  }

  /** Finishes running writes before the database is closed. */
  async onApplicationShutdown(): Promise<void> {
    await this.writing;
  }

  private remember(key: string): void {
    this.written.delete(key);
    this.written.set(key, performance.now());
    if (this.written.size <= MAX_WRITTEN) return;
    const [oldest] = this.written.keys();
    if (oldest !== undefined) this.written.delete(oldest);
  }

  private async write(): Promise<void> {
    // Let acceptances of the same moment join the batch.
    await Promise.resolve();
    while (this.waiting.size > 0) {
      const batch = [...this.waiting].slice(0, ROWS_AT_ONCE);
      for (const [key] of batch) this.waiting.delete(key);
      try {
        await this.repository.store(batch.map(([, at]) => at));
      } catch (error) {
        this.warn(error);
        for (const [key] of batch) this.written.delete(key);
      }
    }
  }

  private warn(error: unknown): void {
    if (performance.now() - this.lastWarned < WARN_EVERY_MS) return;
    this.lastWarned = performance.now();
    this.logger.warn(
      { err: error },
      'acceptances of mail hosts could not be read or written: postmasters are asked instead',
    );
  }
}
