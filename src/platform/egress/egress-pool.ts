import type { Egress, EgressPool } from '../../engine/smtp/egress.js';
import { clearance } from './clearance.js';
import { directEgress } from './direct-egress.js';
import { EgressRecord } from './egress-record.js';
import { egressId, isHeloName, type EgressEntry } from './parse-smtp-egress.js';
import { socksEgress } from './socks-egress.js';
import { watchedEgress, type WatchedEgress } from './watched-egress.js';

export interface EgressSettings {
  /** HELO name where no egress is configured. */
  readonly heloName: string;
  /** Envelope sender of every egress; null: `verify@<its HELO name>`. */
  readonly mailFrom: string | null;
  /** Entries of `SMTP_EGRESS`; empty: this machine, with the system's source address. */
  readonly entries: readonly EgressEntry[];
  /** Laboratories only. */
  readonly allowPrivateNetworks: boolean;
  /** Monotonic clock, milliseconds; for tests. */
  readonly now?: () => number;
}

/**
 * Creates the configured egresses.
 * @throws RangeError for a HELO name without a dot: many hosts refuse it, which would look like a refusal of the
 * addresses we check.
 */
export function createEgressPool(settings: EgressSettings): WatchedEgressPool {
  const { heloName, entries } = settings;
  const fallback: EgressEntry = { kind: 'direct', ipv4: null, ipv6: null, heloName };
  return new WatchedEgressPool((entries.length > 0 ? entries : [fallback]).map((entry) => build(entry, settings)));
}

/**
 * Assigns checks round-robin. Skips an egress whose proxy or source address keeps failing, or that reaches no mail
 * host, while another one works. A check that names its egress (a greylist retry) gets that one while it exists,
 * whatever its state.
 */
export class WatchedEgressPool implements EgressPool {
  private turn = 0;

  constructor(readonly egresses: readonly WatchedEgress[]) {}

  choose(id: string | null): Egress {
    const named = id === null ? undefined : this.egresses.find((egress) => egress.id === id);
    const chosen = named ?? this.next();
    chosen.record.chosen();
    return chosen;
  }

  private next(): WatchedEgress {
    const inTurn = [...this.egresses.slice(this.turn), ...this.egresses.slice(0, this.turn)];
    const sound = inTurn.filter(({ record }) => !record.passedOver);
    const [next] = [...sound.filter(({ record }) => record.port !== 'closed'), ...sound, ...inTurn];
    this.turn = (this.egresses.indexOf(next!) + 1) % this.egresses.length;
    return next!;
  }
}

function build(entry: EgressEntry, settings: EgressSettings): WatchedEgress {
  const sources = entry.kind === 'direct' ? [entry.ipv4, entry.ipv6].filter((source) => source !== null) : null;
  const record = new EgressRecord({ sources, now: settings.now ?? ((): number => performance.now()) });
  return watchedEgress(unwatched(entry, settings), record);
}

function unwatched(entry: EgressEntry, settings: EgressSettings): Egress {
  if (!isHeloName(entry.heloName)) throw new RangeError('the HELO name must be a host name with a dot');
  const common = {
    id: egressId(entry),
    heloName: entry.heloName,
    mailFrom: settings.mailFrom ?? `verify@${entry.heloName}`,
    clearance: clearance(settings.allowPrivateNetworks),
  };
  if (entry.kind === 'direct') {
    return directEgress({ ...common, source: { ipv4: entry.ipv4, ipv6: entry.ipv6 } });
  }
  return socksEgress({ ...common, proxy: { host: entry.host, port: entry.port, login: entry.login } });
}
