import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AppError } from '../../platform/errors/app-error.js';
import { RedisFailover } from '../../platform/redis/redis-failover.js';
import { DeadlineMissed } from '../../platform/scheduling/within-deadline.js';
import { clientNetwork } from '../../rate-limit/client-network.js';
import { normalEmail } from '../people/user-email.js';
import { LIMITS } from './attempt-counters.js';
import { LocalAttemptCounters } from './local-attempt-counters.js';
import { RedisAttemptCounters } from './redis-attempt-counters.js';

const RETRY_MS = 500;

/**
 * Bounds how often passwords are guessed: by email as typed, known or not, together with the client's network, and by network. So
 * nobody is locked out by tries from elsewhere. A try is counted before the password is looked at, so that a hundred at once
 * are not let in.
 */
@Injectable()
export class SignInAttempts {
  private readonly local = new LocalAttemptCounters();
  private readonly failover = new RedisFailover({
    name: 'SignIn',
    lost: 'Redis does not count sign-ins: this process counts them by itself',
    back: 'sign-ins are counted by all processes together again',
    retryMs: RETRY_MS,
    // Any other error came at once: the next sign-in asks again.
    pausesAfter: (error) => error instanceof DeadlineMissed,
  });

  constructor(private readonly shared: RedisAttemptCounters) {}

  /**
   * Counts a try as failed, until it is forgiven.
   * @param address of the client
   * @throws AppError `too_many_attempts`
   */
  async begin(email: string, address: string | null): Promise<void> {
    const waitSeconds = await this.take(namesOf(email, address));
    if (waitSeconds > 0) {
      throw new AppError('too_many_attempts', 'Too many sign-ins have failed; wait as long as Retry-After says.', {
        retryAfterSeconds: waitSeconds,
      });
    }
  }

  /** The try succeeded. Never rejects. */
  async forgive(email: string, address: string | null): Promise<void> {
    const names = namesOf(email, address);
    await this.local.giveBack(names);
    await this.shared.giveBack(names).catch(() => undefined);
  }

  private take(names: readonly string[]): Promise<number> {
    const limits = [LIMITS.pair, LIMITS.network];
    return this.failover.ask(
      () => this.shared.take(names, limits),
      () => this.local.take(names, limits),
    );
  }
}

/** Hashed, so that no store holds what people typed. */
function namesOf(email: string, address: string | null): readonly string[] {
  const network = clientNetwork(address ?? undefined);
  const pair = createHash('sha256').update(normalEmail(email)).digest('base64url');
  return [`${network}:${pair}`, network];
}
