import { createHash, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppSecrets } from '../config/app-secrets.js';

/** Who may read the metrics: whoever can reach the port, or only who has the token. */
@Injectable()
export class MetricsAccess {
  private readonly expected: Buffer | null;

  constructor({ metricsToken }: AppSecrets) {
    this.expected = metricsToken === null ? null : sha256(`Bearer ${metricsToken}`);
  }

  /** Takes the same time whatever is wrong. @param authorization the header, '' where there is none */
  grants(authorization: string): boolean {
    return this.expected === null || timingSafeEqual(this.expected, sha256(authorization));
  }
}

/** What is compared has one length. */
function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
