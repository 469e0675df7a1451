import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AppError } from '../../platform/errors/app-error.js';
import { RedisFailover } from '../../platform/redis/redis-failover.js';
import { DeadlineMissed } from '../../platform/scheduling/within-deadline.js';
import { clientNetwork } from '../../rate-limit/client-network.js';
import { normalEmail } from '../people/user-email.js';
import { CODES, LIMITS, WINDOW_SECONDS } from './attempt-counters.js';
import { LocalAttemptCounters } from './local-attempt-counters.js';
import { RedisAttemptCounters } from './redis-attempt-counters.js';

const RETRY_MS = 500;

/**
 * Bounds how often passwords are guessed: by email as typed, known or not, together with the client's network, and by network. So
 * nobody is locked out by tries from elsewhere. A try is counted before the password is looked at, so that a hundred at once
 * are not let in. Tries that succeed have a higher bound.
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
   * @param email null where a provider says who it is: only the network counts
   * @param address of the client
   * @throws AppError `too_many_attempts`
   */
  async begin(email: string | null, address: string | null): Promise<void> {
    const waitSeconds = await this.take(countersOf(email, address), WINDOW_SECONDS);
    if (waitSeconds > 0) {
      throw new AppError('too_many_attempts', 'Too many sign-ins were tried; wait as long as Retry-After says.', {
        retryAfterSeconds: waitSeconds,
      });
    }
  }

  /** The try succeeded. Never rejects. */
  forgive(email: string | null, address: string | null): Promise<void> {
    return this.giveBack(countersOf(email, address).flatMap(({ name, isOfFailures }) => (isOfFailures ? [name] : [])));
  }

  /**
   * Counts an authentication code of a user as wrong, until it is forgiven.
   * @returns 0 if it was counted; else the seconds for which no more are looked at
   */
  beginCode(userId: string): Promise<number> {
    return this.take([{ name: codesOf(userId), limit: CODES.limit }], CODES.windowSeconds);
  }

  /** The code was good. Never rejects. */
  forgiveCode(userId: string): Promise<void> {
    return this.giveBack([codesOf(userId)]);
  }

  private take(counters: readonly Pick<TryCounter, 'name' | 'limit'>[], windowSeconds: number): Promise<number> {
    const names = counters.map(({ name }) => name);
    const limits = counters.map(({ limit }) => limit);
    return this.failover.ask(
      () => this.shared.take(names, limits, windowSeconds),
      () => this.local.take(names, limits, windowSeconds),
    );
  }

  private async giveBack(names: readonly string[]): Promise<void> {
    await this.local.giveBack(names);
    await this.shared.giveBack(names).catch(() => undefined);
  }
}

interface TryCounter {
  readonly name: string;
  readonly limit: number;
  /** A try that succeeds is taken back. */
  readonly isOfFailures: boolean;
}

const codesOf = (userId: string): string => `codes:${userId}`;

/** Emails are hashed, so that no store holds what people typed. */
function countersOf(email: string | null, address: string | null): readonly TryCounter[] {
  const network = clientNetwork(address ?? undefined);
  const ofNetwork = { name: network, limit: LIMITS.network, isOfFailures: true };
  if (email === null) return [ofNetwork];
  const pair = `${network}:${createHash('sha256').update(normalEmail(email)).digest('base64url')}`;
  return [
    { name: pair, limit: LIMITS.pair, isOfFailures: true },
    ofNetwork,
    { name: `${pair}:every`, limit: LIMITS.everyTry, isOfFailures: false },
  ];
}
