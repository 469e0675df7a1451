import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppSecrets } from '../config/app-secrets.js';
import { AppError } from '../errors/app-error.js';

/** Who may read the metrics: whoever can reach the port, or only who has the token. */
@Injectable()
export class MetricsAccess {
  private readonly expected: Buffer | null;

  constructor({ metricsToken }: AppSecrets) {
    this.expected = metricsToken === null ? null : sha256(`Bearer ${metricsToken}`);
  }

  /**
   * Takes the same time whatever is wrong.
   * @param authorization the header, '' where there is none
   * @throws AppError `unauthorized`
   */
  check(authorization: string): void {
    if (this.expected === null || timingSafeEqual(this.expected, sha256(authorization))) return;
    throw new AppError('unauthorized', 'Send the metrics token as a bearer token.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

/** What is compared has one length. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
