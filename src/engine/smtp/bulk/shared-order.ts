import type { MailHost } from '../../dns/mail-hosts.js';

/**
 * One order of mail hosts with equal preference, set by the first domain, whatever order each DNS answer has: domains
 * with the same hosts then start at the same host and share its connections.
 */
export class SharedOrder {
  private readonly ranks = new Map<string, number>();

  of(hosts: readonly MailHost[]): readonly MailHost[] {
    for (const { name } of hosts) if (!this.ranks.has(name)) this.ranks.set(name, this.ranks.size);
    const rank = ({ name }: MailHost): number => this.ranks.get(name) ?? 0;
    const tiers: MailHost[][] = [];
    for (const host of hosts) {
      const tier = tiers.at(-1);
      if (tier?.[0]?.preference === host.preference) tier.push(host);
      else tiers.push([host]);
    }
    return tiers.flatMap((tier) => tier.toSorted((one, other) => rank(one) - rank(other)));
  }
}
