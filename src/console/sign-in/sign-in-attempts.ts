import { Injectable, Logger } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { AppError } from '../../platform/errors/app-error.js';
import { clientNetwork } from '../../rate-limit/client-network.js';
import { normalEmail } from '../people/user-email.js';
import { LIMITS } from './attempt-counters.js';
import { LocalAttemptCounters } from './local-attempt-counters.js';
import { RedisAttemptCounters } from './redis-attempt-counters.js';

/**
 * Bounds how often passwords are guessed: by email as typed, known or not, together with the client's network, and by network. So
 * nobody is locked out by tries from elsewhere. A try is counted before the password is looked at, so that a hundred at once
 * are not let in.
 */
@Injectable()
export class SignInAttempts {
  private readonly logger = new Logger('SignIn');
  private readonly local = new LocalAttemptCounters();

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

  private async take(names: readonly string[]): Promise<number> {
    const limits = [LIMITS.pair, LIMITS.network];
    try {
      return await this.shared.take(names, limits);
    } catch (err) {
      this.logger.warn({ err }, 'Redis does not count sign-ins: this process counts them by itself');
      return this.local.take(names, limits);
    }
  }
}

/** Hashed, so that no store holds what people typed. */
function namesOf(email: string, address: string | null): readonly string[] {
  const network = clientNetwork(address ?? undefined);
  const pair = createHash('sha256').update(normalEmail(email)).digest('base64url');
  return [`${network}:${pair}`, network];
}
