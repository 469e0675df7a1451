import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { randomBytes } from 'node:crypto';
import { AppError } from '../../platform/errors/app-error.js';
import { Semaphore } from '../../platform/scheduling/semaphore.js';

/** Argon2id; OWASP's parameters: 19 MiB, two passes, one lane. */
const PARAMETERS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** Each takes a processor and 19 MiB. */
const AT_ONCE = 2;
const MAX_WAITING = 8;
const RETRY_AFTER_SECONDS = 5;

/** Hashes passwords, a few at a time. */
@Injectable()
export class Passwords implements OnModuleInit {
  private readonly turns = new Semaphore(AT_ONCE);
  private nobodys = '';

  /** Makes the hash that stands in for that of an unknown user. */
  async onModuleInit(): Promise<void> {
    this.nobodys = await hash(randomBytes(16), PARAMETERS);
  }

  /** @throws AppError `too_many_attempts` when too many hashes are being made */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, PARAMETERS));
  }

  /**
   * Takes as long without a stored hash as with one, so that the time does not tell which emails are known.
   * @throws AppError `too_many_attempts` when too many hashes are being made
   */
  async matches(stored: string | null, password: string): Promise<boolean> {
    const isRight = await this.inTurn(() => verify(stored ?? this.nobodys, password));
    return isRight && stored !== null;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.turns.isFull && this.turns.waiterCount >= MAX_WAITING) {
      throw new AppError('too_many_attempts', 'Too many sign-ins are under way; try again in a moment.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    }
    await this.turns.acquire();
    try {
      return await work();
    } finally {
      this.turns.release();
    }
  }
}
