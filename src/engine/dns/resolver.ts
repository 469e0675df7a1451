import type { Deadline } from '../deadline.js';
import type { Trace } from '../trace.js';

/** Supported record types. */
export type RecordType =
  | 'A'
  | 'AAAA'
  | 'MX'
  | 'TXT'
  | 'NS'
  | 'SOA'
  | 'CNAME'
  | 'PTR'
  | 'CAA'
  | 'TLSA'
  | 'DS'
  | 'DNSKEY';

/** Decoded data of one resource record. Names are lowercase, without a trailing dot; the root is `.`. */
export type RecordData =
  | { readonly type: 'A' | 'AAAA'; readonly address: string }
  | { readonly type: 'MX'; readonly preference: number; readonly exchange: string }
  | { readonly type: 'TXT'; readonly text: string }
  | { readonly type: 'NS' | 'CNAME' | 'PTR'; readonly name: string }
  | { readonly type: 'SOA'; readonly primary: string; readonly minimumSeconds: number }
  | { readonly type: 'CAA'; readonly critical: boolean; readonly tag: string; readonly value: string }
  | {
      readonly type: 'TLSA';
      readonly usage: number;
      readonly selector: number;
      readonly matchingType: number;
      readonly certificate: Buffer;
    }
  | { readonly type: 'DS' | 'DNSKEY' };

/**
 * The DNS's answer. The kinds are never merged: only `nxdomain` and `nodata` say that something does not exist.
 *
 * `failure.blame`: `domain` if the resolver works but the name's servers do not; `resolver` if our own resolver or
 * network is down (decisions 6.2: the control query `. SOA` was unanswered, failed or refused), which is never a
 * verdict.
 */
export type DnsAnswer =
  | {
      readonly kind: 'records';
      /** Records of the requested type, CNAMEs followed. Never empty. */
      readonly records: readonly RecordData[];
      readonly ttlSeconds: number;
      /** The AD bit. Meaningful only from a validating resolver on a trusted path. */
      readonly authenticated: boolean;
    }
  | { readonly kind: 'nxdomain' | 'nodata'; readonly ttlSeconds: number; readonly authenticated: boolean }
  | { readonly kind: 'failure'; readonly why: DnsFailure; readonly blame: 'domain' | 'resolver' };

/** `not_definite`: "there is none" from a server that filters or does not recurse. */
export type DnsFailure = 'not_definite' | 'servfail' | 'refused' | 'timeout' | 'malformed' | 'cname_loop' | 'network';

export interface QueryOptions {
  readonly deadline: Deadline;
  readonly trace?: Trace | undefined;
  /** Requesters take turns when many questions wait. */
  readonly requester?: string | undefined;
  /** Sets the CD bit: returns answers that fail DNSSEC validation. They are not cached. */
  readonly checkingDisabled?: boolean;
}

export interface Resolver {
  /**
   * Asks one question. `name` is an A-label name, with underscores for service names. Never throws for anything a
   * server or the network does. @throws RangeError for a name that cannot be encoded
   */
  query(name: string, type: RecordType, options: QueryOptions): Promise<DnsAnswer>;
}
