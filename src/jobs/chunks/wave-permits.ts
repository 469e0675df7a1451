import { USUAL_CONNECTIONS, type AllowedConnections } from '../../engine/smtp/bulk/bulk-prober.js';
import type { SharedPermits } from './shared-permits.js';

/** Permits of a whole wave. Every number up to ten divides them, so that the part of a domain is whole. */
export const PERMITS_OF_WAVE = 2520;

/**
 * The permits of a wave, an equal part for each of its domains; of more domains than connections, the last ones have none. A
 * wave begins with one part, takes the others as they come free, and gives one back as a domain ends: no connection waits
 * for those of another wave to end.
 */
export class WavePermits implements AllowedConnections {
  private readonly withoutOutcome: number[];
  private readonly parts: number;
  private openDomains: number;
  private held = 0;
  private readonly listeners: (() => void)[] = [];

  /** @param recipients of each domain, at least one */
  constructor(
    recipients: readonly number[],
    private readonly shared: Pick<SharedPermits, 'take' | 'release'>,
  ) {
    this.withoutOutcome = [...recipients];
    this.parts = Math.min(USUAL_CONNECTIONS, recipients.length);
    this.openDomains = recipients.length;
  }

  /** One for each part. A wave with a part for each open domain has no limit of its own: a big domain takes several connections. */
  get count(): number {
    return this.held < this.wanted ? this.held : USUAL_CONNECTIONS;
  }

  onMore(listener: () => void): void {
    this.listeners.push(listener);
  }

  /** Calls `onBegun` when the first connection may begin. */
  begin(onBegun: () => void): void {
    this.takeParts(onBegun);
  }

  /** Notes the outcome of a recipient. @param domain its index */
  settle(domain: number): void {
    this.withoutOutcome[domain]! -= 1;
    if (this.withoutOutcome[domain]! > 0) return;
    this.openDomains -= 1;
    this.giveBack();
  }

  /** Gives back what the wave still holds. */
  end(): void {
    this.openDomains = 0;
    this.giveBack();
  }

  /** Takes one part after the other until there is one for each open domain. @param onTaken called for the first of them */
  private takeParts(onTaken: () => void): void {
    this.shared.take(this.part, this.held > 0, () => {
      this.held += 1;
      onTaken();
      if (this.held >= this.wanted) this.giveBack();
      else this.takeParts(() => this.listeners.forEach((listener) => listener()));
    });
  }

  private giveBack(): void {
    const surplus = Math.max(0, this.held - this.wanted);
    this.held -= surplus;
    if (surplus > 0) this.shared.release(surplus * this.part);
  }

  private get part(): number {
    return PERMITS_OF_WAVE / this.parts;
  }

  private get wanted(): number {
    return Math.min(this.parts, this.openDomains);
  }
}
