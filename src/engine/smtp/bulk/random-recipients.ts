import type { HostQueue } from './host-queue.js';
import type { RandomProbe } from './random-probe.js';

/** The random recipients of a run: one path per domain, the same at each of its hosts. */
export class RandomRecipients {
  private readonly wanted = new Set<string>();
  private readonly paths = new Map<string, string>();

  /** @param localPart generates an unguessable local part */
  constructor(private readonly localPart: () => string) {}

  /** Asks hosts of this domain about a random recipient. */
  want(domain: string): void {
    this.wanted.add(domain);
  }

  isWanted(domain: string): boolean {
    return this.wanted.has(domain);
  }

  /** The domain's random recipient at a host; null where none is wanted, or its answer would mean nothing. */
  at(queue: HostQueue, domain: string): RandomProbe | null {
    if (!this.wanted.has(domain) || queue.provider?.randomProbeMeaningful === false) return null;
    return queue.randomOf(domain, () => this.pathOf(domain));
  }

  private pathOf(domain: string): string {
    const path = this.paths.get(domain) ?? `${this.localPart()}@${domain}`;
    this.paths.set(domain, path);
    return path;
  }
}
