import { Injectable } from '@nestjs/common';
import { Redis } from 'ioredis';

/** Sorted set: domains by the millisecond at which their mail host last greylisted an address of a job. */
const GREYLISTING = 'mailvet:jobs:{greylisting}';
/** Postgrey forgets a client after as long without mail from it, and greylists it again. */
const KEPT_MS = 35 * 24 * 60 * 60 * 1000;
/** The oldest are forgotten first. */
const MOST_KEPT = 20_000;
const ASKED_AT_ONCE = 1000;

/**
 * Domains that greylisted an address of a job. A plan begins with them, because a job that meets one at its end waits for
 * its retry. Only the order of probes depends on it, so a failure of Redis is ignored.
 */
@Injectable()
export class GreylistingDomains {
  constructor(private readonly redis: Redis) {}

  /** Returns at once. @param domains at least one */
  note(domains: readonly string[]): void {
    const now = Date.now();
    this.redis
      .multi()
      .zadd(GREYLISTING, ...[...new Set(domains)].flatMap((domain) => [now, domain]))
      .zremrangebyscore(GREYLISTING, '-inf', now - KEPT_MS)
      .zremrangebyrank(GREYLISTING, 0, -MOST_KEPT - 1)
      .pexpire(GREYLISTING, KEPT_MS)
      .exec()
      .catch(() => undefined);
  }

  /** @returns those of the domains that are known to greylist */
  async among(domains: readonly string[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (let from = 0; from < domains.length; from += ASKED_AT_ONCE) {
      const some = domains.slice(from, from + ASKED_AT_ONCE);
      const seen = await this.redis.zmscore(GREYLISTING, ...some).catch(() => null);
      if (seen === null) break;
      for (const [at, domain] of some.entries()) if (seen[at] !== null) known.add(domain);
    }
    return known;
  }
}
