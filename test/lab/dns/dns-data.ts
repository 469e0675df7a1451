/** Records of the lab's DNS, by owner name (lowercase A-labels, no trailing dot, `.` the root). */
export type DnsData = Readonly<Record<string, DnsEntry>>;

/**
 * The records of one name. A name without an entry at or below it is NXDOMAIN; a missing type of an existing name is
 * NODATA. `*.example.org` answers for every missing name below `example.org`.
 */
export interface DnsEntry {
  /** Addresses, or names of mail hosts of the same world, replaced by their addresses. */
  readonly A?: readonly string[];
  readonly AAAA?: readonly string[];
  readonly MX?: readonly (readonly [preference: number, exchange: string])[];
  /** A list is one record of several strings; a string over 255 octets is split by itself. */
  readonly TXT?: readonly (string | readonly string[])[];
  readonly NS?: readonly string[];
  readonly PTR?: readonly string[];
  readonly CNAME?: string;
  readonly CAA?: readonly {
    readonly flags?: number;
    readonly tag: 'issue' | 'issuewild' | 'iodef';
    readonly value: string;
  }[];
  readonly TLSA?: readonly {
    readonly usage: number;
    readonly selector: number;
    readonly matchingType: number;
    /** Hexadecimal. */
    readonly certificate: string;
  }[];
  /** Seconds; 60 by default. */
  readonly ttl?: number;
  /** The AD bit is set on answers from this name, for those who ask for it. */
  readonly secure?: boolean;
  /** Applies to every name below too, unless that has its own fault. */
  readonly fault?: DnsFault;
}

/** How the servers of a name misbehave. Faults combine; the first of this list wins. */
export interface DnsFault {
  /** Only questions for these types; all by default. */
  readonly types?: readonly string[];
  /** Before any answer. */
  readonly delayMs?: number;
  /** Never answers, over UDP or TCP. */
  readonly silent?: boolean;
  /** The first n questions for each name and type go unanswered. */
  readonly dropFirst?: number;
  /** Bytes that are no DNS message, behind the right id. */
  readonly garbage?: boolean;
  /** An answer with another id, as a forger would send it, with the address 192.0.2.66 in it. */
  readonly wrongId?: boolean;
  /** An answer to another question. */
  readonly wrongQuestion?: boolean;
  /** After `garbage`, `wrongId` or `wrongQuestion` the true answer follows. */
  readonly thenRight?: boolean;
  readonly refused?: boolean;
  readonly servfail?: boolean;
  /** SERVFAIL until so many milliseconds after the first question that this fault met. */
  readonly servfailForMs?: number;
  /** SERVFAIL unless the question has the CD bit: a signature that does not validate. */
  readonly bogus?: boolean;
  /** Answers have no RA bit: those of a filter, or of a server that asks nobody. */
  readonly withoutRecursion?: boolean;
  /** Info code of an Extended DNS Error (RFC 8914) beside the answer, for those who speak EDNS. */
  readonly extendedError?: number;
  /** Every answer over UDP has the TC bit and nothing else. */
  readonly truncate?: boolean;
}
