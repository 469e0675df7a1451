import type { MailHost } from '../../dns/mail-hosts.js';

/**
 * One order for mail hosts of equal preference, whatever order the look-up of each domain has dealt: so that domains with
 * the same hosts begin with the same one and share its connections. The first domain's order decides.
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
