import { Injectable } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';

/**
 * Live, unless a part of the process reports that it is stuck in a way that only a restart repairs. Reads known state
 * only: it asks no server, and a server that is down is never a reason.
 */
@Injectable()
export class Liveness {
  private readonly parts: (() => string | null)[] = [];

  /** @param stuck the fault, for operators; null while there is none */
  watch(stuck: () => string | null): void {
    this.parts.push(stuck);
  }

  /** @throws AppError `service_unavailable` with what is stuck */
  check(): void {
    const stuck = this.parts.map((part) => part()).filter((fault) => fault !== null);
    if (stuck.length === 0) return;
    throw new AppError('service_unavailable', `Not live: ${stuck.join('; ')}.`, { retryAfterSeconds: 1 });
  }
}
