import type { HostQueue } from './host-queue.js';
import type { RandomProbe } from './random-probe.js';

/** The random recipients of a run: one path a domain, the same at each of its hosts. */
export class RandomRecipients {
  private readonly wanted = new Set<string>();
  private readonly paths = new Map<string, string>();

  /** @param localPart makes a new one that nobody can guess */
  constructor(private readonly localPart: () => string) {}

  /** The hosts of this domain are to be asked about one. */
  want(domain: string): void {
    this.wanted.add(domain);
  }

  isWanted(domain: string): boolean {
    return this.wanted.has(domain);
  }

  /** What a host is to be asked about for a domain; null where none is wanted, or its answer would mean nothing. */
  at(desk: HostQueue, domain: string): RandomProbe | null {
    if (!this.wanted.has(domain) || desk.provider?.randomProbeMeaningful === false) return null;
    return desk.randomOf(domain, () => this.pathOf(domain));
  }

  private pathOf(domain: string): string {
    const path = this.paths.get(domain) ?? `${this.localPart()}@${domain}`;
    this.paths.set(domain, path);
    return path;
  }
}
