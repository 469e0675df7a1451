import { USUAL_CONNECTIONS } from '../../engine/smtp/bulk/bulk-prober.js';

/** Permits that a wave begins with. Every number up to ten divides them, so that the part of a domain is whole. */
export const PERMITS_OF_WAVE = 2520;

/**
 * Gives back the permits of a wave as its domains end, so that the next wave does not wait for the slowest of them.
 * Each domain holds an equal part; of more domains than connections, the last ones do.
 */
export class WavePermits {
  private readonly withoutOutcome: number[];
  private readonly domainsAtOnce: number;
  private openDomains: number;

  /** @param recipients of each domain, at least one */
  constructor(
    recipients: readonly number[],
    private readonly giveBack: (permits: number) => void,
  ) {
    this.withoutOutcome = [...recipients];
    this.domainsAtOnce = Math.min(USUAL_CONNECTIONS, recipients.length);
    this.openDomains = recipients.length;
  }

  /** Notes the outcome of a recipient. @param domain its index */
  settle(domain: number): void {
    this.withoutOutcome[domain]! -= 1;
    if (this.withoutOutcome[domain]! > 0) return;
    this.openDomains -= 1;
    if (this.openDomains < this.domainsAtOnce) this.giveBack(PERMITS_OF_WAVE / this.domainsAtOnce);
  }
}
