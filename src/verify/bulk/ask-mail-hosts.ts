import type { Address } from '../../engine/address/address.js';
import type { MailHostFacts } from '../../engine/check.js';
import type { BulkProber, BulkProbeRequest } from '../../engine/smtp/bulk/bulk-prober.js';
import type { ProbeOutcome } from '../../engine/smtp/prober.js';
import { withDeadline } from '../../platform/scheduling/stoppable-deadline.js';
import type { DomainToAsk } from './settle-by-dns.js';

export interface AskOptions<Target> extends Pick<BulkProbeRequest, 'requester' | 'list' | 'connections'> {
  readonly bulk: BulkProber;
  /** Time for one address, milliseconds; several get more. */
  readonly deadlineMs: number;
  readonly stop: AbortSignal;
  readonly addressOf: (target: Target) => Address;
  /** The egress to use; null: any. */
  readonly egress: string | null;
  /** Whether to ask about a random recipient of the domain too (enhanced). */
  readonly asksRandom: (domain: string) => boolean;
  /** @param nth of the domains the address is of */
  readonly onOutcome: (target: Target, mailHosts: MailHostFacts, outcome: ProbeOutcome, nth: number) => void;
}

/** Longest wait for a busy host: a waiter keeps other addresses from their hosts. */
export const PATIENCE_MS = 3000;
/** Added to the time budget per recipient: some hosts take this long for each. */
export const EACH_MS = 500;

/** Asks the mail hosts of some domains about their addresses, over shared connections. */
export async function askMailHosts<Target>(
  domains: readonly DomainToAsk<Target>[],
  { bulk, deadlineMs, stop, addressOf, egress, asksRandom, onOutcome, ...more }: AskOptions<Target>,
): Promise<void> {
  const asked = domains.flatMap(({ mailHosts, targets }, nth) => targets.map((target) => ({ target, mailHosts, nth })));
  if (asked.length === 0 || stop.aborted) return;
  let index = 0;
  const toProbe = domains.map(({ domain, hosts, targets }) => ({
    domain,
    hosts,
    recipients: targets.map((target) => ({ index: index++, address: addressOf(target), egress })),
    randomRecipient: asksRandom(domain),
  }));
  await withDeadline(deadlineMs + EACH_MS * asked.length, stop, (deadline) =>
    bulk.probe({
      ...more,
      domains: toProbe,
      deadline,
      patienceMs: PATIENCE_MS,
      onOutcome: (i, outcome) => {
        const { target, mailHosts, nth } = asked[i]!;
        onOutcome(target, mailHosts, outcome, nth);
      },
    }),
  );
}
