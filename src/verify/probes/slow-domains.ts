import { RecentMap } from '../../platform/caching/recent-map.js';

const REMEMBERED_MS = 600_000;
const MAX_DOMAINS = 10_000;

/** Domains whose mail hosts recently kept a probe of this process waiting. */
export class SlowDomains {
  private readonly untilMs = new RecentMap<number>(MAX_DOMAINS);

  note(domain: string): void {
    this.untilMs.set(domain, performance.now() + REMEMBERED_MS);
  }

  forget(domain: string): void {
    this.untilMs.delete(domain);
  }

  has(domain: string): boolean {
    return (this.untilMs.get(domain) ?? 0) > performance.now();
  }
}
