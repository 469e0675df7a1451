import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppSecrets } from '../config/app-secrets.js';
import { AppError } from '../errors/app-error.js';

/** Controls access to the metrics: by token if one is configured, else for everybody who can reach the port. */
@Injectable()
export class MetricsAccess {
  private readonly expected: Buffer | null;

  constructor({ metricsToken }: AppSecrets) {
    this.expected = metricsToken === null ? null : sha256(`Bearer ${metricsToken}`);
  }

  /**
   * Takes the same time for any wrong token.
   * @param authorization the header, '' if there is none
   * @throws AppError `unauthorized`
   */
  check(authorization: string): void {
    if (this.expected === null || timingSafeEqual(this.expected, sha256(authorization))) return;
    throw new AppError('unauthorized', 'Send the metrics token as a bearer token.', {
      headers: { 'WWW-Authenticate': 'Bearer' },
    });
  }
}

/** Gives both sides of the comparison the same length. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
