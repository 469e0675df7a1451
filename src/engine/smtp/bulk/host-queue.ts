import type { MailHost } from '../../dns/mail-hosts.js';
import type { JudgedAnswer } from '../judge-recipient.js';
import { mailHostGroup } from '../mail-host-group.js';
import type { MailProvider } from '../provider.js';
import { Candidate } from './candidate.js';
import type { FirstBatches } from './first-batches.js';
import { HostTraits } from './host-traits.js';
import { PostmasterProbe } from './postmaster-probe.js';
import { RandomProbe } from './random-probe.js';

/** A recipient asked about only as evidence for others. */
export type SideProbe = RandomProbe | PostmasterProbe;

/** A recipient of a batch. */
export type BatchRecipient = Candidate | SideProbe;

export function isSideProbe(recipient: BatchRecipient): recipient is SideProbe {
  return !(recipient instanceof Candidate);
}

/** The properties that recipients of one transaction share. */
export interface Envelope {
  readonly domain: string;
  /** MAIL says SMTPUTF8. */
  readonly utf8: boolean;
}

export function isSameEnvelope(one: Envelope, other: Envelope | null): boolean {
  return other !== null && one.domain === other.domain && one.utf8 === other.utf8;
}

/** Recipients of one envelope that are asked about together. */
export interface RcptBatch extends Envelope {
  readonly recipients: readonly BatchRecipient[];
}

/** One mail host and the recipients that wait to be asked about there. */
export class HostQueue {
  readonly group: string;
  readonly traits: HostTraits;
  /** Connections that work on this host. */
  connections = 0;
  /** Most concurrent connections the host takes, as far as is known. */
  maxConnections: number;
  /** The host has answered about a recipient. */
  served = false;
  /** Consecutive sessions without an answer about any recipient. */
  fruitlessSessions = 0;
  /** The host is asked no more: the answer for every recipient still sent here. */
  failure: JudgedAnswer | null = null;
  /** The same for recipients that need SMTPUTF8. */
  utf8Failure: JudgedAnswer | null = null;
  /** Domains for which the host refused us for recipient after recipient. */
  readonly backedOff = new Set<string>();
  private reached: MailHost;
  private readonly lines = new Map<string, BatchRecipient[]>();
  private readonly suspects: BatchRecipient[] = [];
  private readonly randoms = new Map<string, RandomProbe>();
  private readonly postmasters = new Map<string, PostmasterProbe>();
  private readonly refusals = new Map<string, number>();
  private count = 0;

  constructor(
    private readonly named: MailHost,
    readonly provider: MailProvider | null,
    list?: FirstBatches,
  ) {
    this.reached = named;
    this.group = mailHostGroup(named.name, provider);
    this.traits = new HostTraits(provider, list);
    this.maxConnections = provider?.maxConnections ?? Number.POSITIVE_INFINITY;
  }

  /** The host, with the address that accepted our connection first. */
  get host(): MailHost {
    return this.reached;
  }

  connectedAt(address: string): void {
    if (this.reached.addresses[0] === address) return;
    const { named } = this;
    this.reached = { ...named, addresses: [address, ...named.addresses.filter((other) => other !== address)] };
  }

  /** Number of recipients that wait, random recipients in line included. */
  get waiting(): number {
    return this.count;
  }

  /** Number of recipients that wait for an envelope. */
  waitingFor(envelope: Envelope): number {
    const suspects = this.suspects.filter((suspect) => keyOf(suspect) === keyOf(envelope)).length;
    return suspects + (this.lines.get(keyOf(envelope))?.length ?? 0);
  }

  /** Number of connections with work here: one until the host has answered, then as many as pay off. */
  get wantedConnections(): number {
    if (this.count === 0) return this.connections;
    const worth = this.served ? Math.max(1, Math.floor(this.count / this.traits.worthAConnection)) : 1;
    return Math.max(this.connections, Math.min(worth, this.maxConnections));
  }

  add(recipient: Exclude<BatchRecipient, RandomProbe>): void {
    this.line(recipient).push(recipient);
    this.count += 1;
  }

  /** Puts recipients back at the head of the queue, in this order. */
  requeue(recipients: readonly BatchRecipient[]): void {
    for (const one of recipients.toReversed()) {
      if (one instanceof RandomProbe) {
        one.requeue();
        continue;
      }
      this.line(one).unshift(one);
      this.count += 1;
    }
  }

  /** Queues a recipient to come first in a session of its own: it may have ended the last session. */
  suspect(recipient: BatchRecipient): void {
    if (recipient instanceof RandomProbe) recipient.reserve();
    this.suspects.push(recipient);
    this.count += 1;
  }

  randomOf(domain: string, path: () => string): RandomProbe {
    const known = this.randoms.get(domain);
    if (known !== undefined) return known;
    const random = new RandomProbe(domain, path());
    this.randoms.set(domain, random);
    return random;
  }

  postmasterOf(domain: string): PostmasterProbe {
    const known = this.postmasters.get(domain) ?? new PostmasterProbe(domain);
    this.postmasters.set(domain, known);
    return known;
  }

  get sideProbes(): readonly SideProbe[] {
    return [...this.randoms.values(), ...this.postmasters.values()];
  }

  /** Picks the next envelope: the open one if a recipient waits for it. */
  next({ fresh, open, domain }: NextOptions): Envelope | null {
    if (this.count === 0) return null;
    const fits = (envelope: Envelope): boolean => domain === null || envelope.domain === domain;
    if (fresh) {
      const suspect = this.suspects.find((recipient) => fits(recipient));
      if (suspect !== undefined) return envelopeOf(suspect);
    }
    if (open !== null && fits(open) && (this.lines.get(keyOf(open))?.length ?? 0) > 0) return open;
    for (const line of this.lines.values()) {
      const [first] = line;
      if (first !== undefined && fits(first)) return envelopeOf(first);
    }
    return null;
  }

  /** Takes up to `size` recipients of an envelope; a random recipient that is due goes last, never alone. */
  take(envelope: Envelope, { fresh, size, random }: TakeOptions): RcptBatch {
    const recipients: BatchRecipient[] = [];
    if (fresh) {
      const place = this.suspects.findIndex((suspect) => keyOf(suspect) === keyOf(envelope));
      if (place !== -1) recipients.push(...this.suspects.splice(place, 1));
    }
    const line = this.lines.get(keyOf(envelope)) ?? [];
    const along = random !== null && random.isDue && size >= 2 && line.length + recipients.length > 0;
    recipients.push(...line.splice(0, Math.max(0, size - recipients.length - (along ? 1 : 0))));
    this.count -= recipients.length;
    if (line.length === 0) this.lines.delete(keyOf(envelope));
    if (along) {
      random.reserve();
      recipients.push(random);
    }
    return { ...envelope, recipients };
  }

  removeAll(): readonly BatchRecipient[] {
    return this.removeMatching(() => true);
  }

  /** Removes and returns all waiting recipients that match. */
  removeMatching(meant: (recipient: BatchRecipient) => boolean): readonly BatchRecipient[] {
    const drained: BatchRecipient[] = [];
    for (const [key, line] of this.lines) {
      const [first] = line;
      if (first === undefined || !meant(first)) continue;
      drained.push(...line);
      this.lines.delete(key);
    }
    const staying = this.suspects.splice(0);
    for (const suspect of staying) (meant(suspect) ? drained : this.suspects).push(suspect);
    this.count -= drained.length;
    return drained;
  }

  /**
   * Counts consecutive refusals of us in answer to recipients of a domain.
   * @returns the new count
   */
  countRefusals(domain: string, refused: boolean): number {
    const inRow = refused ? (this.refusals.get(domain) ?? 0) + 1 : 0;
    this.refusals.set(domain, inRow);
    return inRow;
  }

  private line(envelope: Envelope): BatchRecipient[] {
    const key = keyOf(envelope);
    const known = this.lines.get(key);
    if (known !== undefined) return known;
    const line: BatchRecipient[] = [];
    this.lines.set(key, line);
    return line;
  }
}

export interface NextOptions {
  /** The session has asked about no recipient yet. */
  readonly fresh: boolean;
  /** Envelope of the open transaction. */
  readonly open: Envelope | null;
  /** Restricts the choice to this domain; null: any. */
  readonly domain: string | null;
}

export interface TakeOptions {
  readonly fresh: boolean;
  readonly size: number;
  /** The domain's random recipient, where the host should be asked about one. */
  readonly random: RandomProbe | null;
}

function envelopeOf({ domain, utf8 }: BatchRecipient): Envelope {
  return { domain, utf8 };
}

function keyOf({ domain, utf8 }: Envelope): string {
  return `${utf8 ? 'utf8' : 'ascii'} ${domain}`;
}
