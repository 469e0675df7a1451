import type { Egress, EgressPool } from '../../engine/smtp/egress.js';
import { clearance } from './clearance.js';
import { DirectEgress } from './direct-egress.js';
import { egressId, isHeloName, type EgressEntry } from './parse-smtp-egress.js';
import { SocksEgress } from './socks-egress.js';

export interface EgressSettings {
  /** Our name where no egress is configured. */
  readonly heloName: string;
  /** Envelope sender of every egress; null: `verify@<its HELO name>`. */
  readonly mailFrom: string | null;
  /** Entries of `SMTP_EGRESS`; empty: out from this machine, from whichever address the system takes. */
  readonly entries: readonly EgressEntry[];
  /** Laboratories only. */
  readonly allowPrivateNetworks: boolean;
}

/**
 * The ways out that were configured.
 * @throws RangeError for a HELO name without a dot: many hosts refuse it, which would look like a refusal of our addresses.
 */
export function createEgressPool(settings: EgressSettings): EgressPool {
  const { heloName, entries } = settings;
  const fallback: EgressEntry = { kind: 'direct', ipv4: null, ipv6: null, heloName };
  return new RoundRobinEgressPool((entries.length > 0 ? entries : [fallback]).map((entry) => build(entry, settings)));
}

/** Deals checks out in turn; a check that names its egress (a greylist retry) gets that one while it exists. */
class RoundRobinEgressPool implements EgressPool {
  private turn = 0;

  /** @throws RangeError without a single egress. */
  constructor(private readonly egresses: readonly Egress[]) {
    if (egresses.length === 0) throw new RangeError('a pool needs an egress');
  }

  choose(id: string | null): Egress {
    const named = id === null ? undefined : this.egresses.find((egress) => egress.id === id);
    if (named !== undefined) return named;
    const next = this.egresses[this.turn % this.egresses.length];
    this.turn = (this.turn + 1) % this.egresses.length;
    if (next === undefined) throw new RangeError('a pool needs an egress');
    return next;
  }
}

function build(entry: EgressEntry, settings: EgressSettings): Egress {
  if (!isHeloName(entry.heloName)) throw new RangeError('the HELO name must be a host name with a dot');
  const common = {
    id: egressId(entry),
    heloName: entry.heloName,
    mailFrom: settings.mailFrom ?? `verify@${entry.heloName}`,
    clearance: clearance(settings.allowPrivateNetworks),
  };
  if (entry.kind === 'direct') {
    return new DirectEgress({ ...common, source: { ipv4: entry.ipv4, ipv6: entry.ipv6 } });
  }
  return new SocksEgress({ ...common, proxy: { host: entry.host, port: entry.port, login: entry.login } });
}
