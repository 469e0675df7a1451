import type { CatchAllRepository } from '../../domains/catch-all/catch-all.repository.js';
import type { DomainRecords } from '../../verify/lookup/domain-records.js';
import type { KnownDomain } from '../../verify/lookup/judge.js';

/** What is known about the domains of one job. It asks about each once, though most pages of results name it. */
export class KnownDomains {
  private readonly known = new Map<string, KnownDomain>();
  private asking: Promise<void> = Promise.resolve();

  constructor(
    private readonly catchAll: CatchAllRepository,
    private readonly records: DomainRecords,
  ) {}

  /** Pages that ask at the same time wait for each other. */
  lookUp(domains: readonly string[]): Promise<void> {
    this.asking = this.asking.then(() => this.ask(domains));
    return this.asking;
  }

  private async ask(domains: readonly string[]): Promise<void> {
    const asked = [...new Set(domains)].filter((domain) => !this.known.has(domain));
    if (asked.length === 0) return;
    const [catchAlls, crawled] = await Promise.all([
      this.catchAll.findCatchAlls(asked),
      this.records.lookUp(asked, null),
    ]);
    for (const domain of asked) {
      this.known.set(domain, { catchAll: catchAlls.has(domain), crawled: crawled.get(domain) ?? null });
    }
  }

  /** @param domain one that was looked up */
  of(domain: string): KnownDomain {
    return this.known.get(domain)!;
  }
}
