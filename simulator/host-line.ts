import type { FirstBatches } from '../src/engine/smtp/bulk/first-batches.js';
import { HostTraits } from '../src/engine/smtp/bulk/host-traits.js';
import type { Recipient, SimulatedDomain, SimulatedHost } from './world.js';

/** Recipients of a batch: addresses, or postmaster as a witness. */
export type Asked = Recipient | Witness;

/** What is known of a domain at a host: refusals that wait for a witness, and whether one was found. */
export class Witness {
  /** Recipients that are not answered yet. */
  open = 0;
  held = 0;
  othersAccepted = false;
  isAsked = false;

  constructor(readonly domain: SimulatedDomain) {}
}

export function isWitness(asked: Asked): asked is Witness {
  return asked instanceof Witness;
}

/** The recipients of a run that wait at one mail host. The product's `HostQueue`, without names. */
export class HostLine {
  readonly traits: HostTraits;
  connections = 0;
  served = false;
  /** The host is asked no more. */
  failed = false;
  waiting = 0;
  private readonly lines = new Map<SimulatedDomain, Asked[]>();
  private readonly suspects: Recipient[] = [];
  private readonly witnesses = new Map<SimulatedDomain, Witness>();
  private readonly most: number;

  constructor(
    readonly host: SimulatedHost,
    list: FirstBatches,
  ) {
    this.traits = new HostTraits(host.provider, list);
    this.most = host.provider?.maxConnections ?? Number.POSITIVE_INFINITY;
  }

  get wantedConnections(): number {
    if (this.waiting === 0) return this.connections;
    const worth = this.served ? Math.max(1, Math.floor(this.waiting / this.traits.worthAConnection)) : 1;
    return Math.max(this.connections, Math.min(worth, this.most));
  }

  witnessOf(domain: SimulatedDomain): Witness {
    const known = this.witnesses.get(domain) ?? new Witness(domain);
    this.witnesses.set(domain, known);
    return known;
  }

  add(asked: Asked): void {
    this.line(asked.domain).push(asked);
    this.waiting += 1;
  }

  requeue(all: readonly Asked[]): void {
    for (const one of all.toReversed()) this.line(one.domain).unshift(one);
    this.waiting += all.length;
  }

  suspect(recipient: Recipient): void {
    this.suspects.push(recipient);
    this.waiting += 1;
  }

  waitingFor(domain: SimulatedDomain): number {
    return this.suspects.filter((one) => one.domain === domain).length + (this.lines.get(domain)?.length ?? 0);
  }

  /** The domain of the next batch. @param open domain of the open transaction */
  next(fresh: boolean, open: SimulatedDomain | null): SimulatedDomain | null {
    if (fresh && this.suspects[0] !== undefined) return this.suspects[0].domain;
    if (open !== null && this.lines.has(open)) return open;
    for (const domain of this.lines.keys()) return domain;
    return null;
  }

  take(domain: SimulatedDomain, size: number, fresh: boolean): Asked[] {
    const taken: Asked[] = [];
    const place = fresh ? this.suspects.findIndex((one) => one.domain === domain) : -1;
    if (place !== -1) taken.push(...this.suspects.splice(place, 1));
    const line = this.lines.get(domain) ?? [];
    taken.push(...line.splice(0, Math.max(0, size - taken.length)));
    if (line.length === 0) this.lines.delete(domain);
    this.waiting -= taken.length;
    return taken;
  }

  /** Takes all that wait, of a domain or of all. */
  drain(domain: SimulatedDomain | null = null): Asked[] {
    const drained: Asked[] = [];
    for (const [of, line] of this.lines) {
      if (domain !== null && of !== domain) continue;
      drained.push(...line);
      this.lines.delete(of);
    }
    for (const suspect of this.suspects.splice(0)) {
      if (domain === null || suspect.domain === domain) drained.push(suspect);
      else this.suspects.push(suspect);
    }
    this.waiting -= drained.length;
    return drained;
  }

  private line(domain: SimulatedDomain): Asked[] {
    const known = this.lines.get(domain) ?? [];
    this.lines.set(domain, known);
    return known;
  }
}
