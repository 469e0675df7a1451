import type { DatabaseTarget } from './database-url.js';

/** What must never be logged or shown. An injection token by itself; only those who connect take it. */
export abstract class AppSecrets {
  abstract readonly database: DatabaseTarget;
  /** `redis://` or `rediss://`. */
  abstract readonly redisUrl: string;
  /** `SMTP_EGRESS` as given (proxies may carry passwords); null when unset. Parsed by `platform/egress`. */
  abstract readonly smtpEgress: string | null;
}
