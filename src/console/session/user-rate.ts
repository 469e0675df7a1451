import { Injectable } from '@nestjs/common';
import { AppError } from '../../platform/errors/app-error.js';
import { LocalBuckets } from '../../rate-limit/local-buckets.js';

/** More than any page asks for, and few enough that nobody keeps the database busy. */
const REQUESTS_PER_MINUTE = 600;

/** Bounds the requests of each signed-in user; each console process counts for itself. */
@Injectable()
export class UserRate {
  private readonly buckets = new LocalBuckets();

  /** @throws AppError `rate_limit_exceeded` */
  take(userId: string): void {
    const { allowed, nextTokenInSeconds } = this.buckets.take(userId, REQUESTS_PER_MINUTE);
    if (allowed) return;
    throw new AppError(
      'rate_limit_exceeded',
      `You make more than ${REQUESTS_PER_MINUTE} requests a minute; wait as long as Retry-After says.`,
      { retryAfterSeconds: nextTokenInSeconds },
    );
  }
}
