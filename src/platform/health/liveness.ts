import { Injectable } from '@nestjs/common';
import { AppError } from '../errors/app-error.js';

/**
 * Live, unless a part of the process says that it is stuck in a way that only a restart mends. What is said is known already:
 * nobody is asked, and a server that is away is never a reason.
 */
@Injectable()
export class Liveness {
  private readonly parts: (() => string | null)[] = [];

  /** @param stuck what is wrong, for operators; null while nothing is */
  watch(stuck: () => string | null): void {
    this.parts.push(stuck);
  }

  /** @throws AppError `service_unavailable` saying what is stuck */
  check(): void {
    const stuck = this.parts.map((part) => part()).filter((fault) => fault !== null);
    if (stuck.length === 0) return;
    throw new AppError('service_unavailable', `Not live: ${stuck.join('; ')}.`, { retryAfterSeconds: 1 });
  }
}
