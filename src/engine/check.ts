import type { Address, ParsedAddress } from './address/address.js';
import type { NoMailHost } from './dns/mail-hosts.js';
import type { ProbeFacts } from './smtp/prober.js';
import type { Mode } from './verdict/result.js';

/** What the DNS said about where mail for a domain goes, as plain data. */
export type MailHostFacts =
  | {
      readonly kind: 'found';
      /** `mx_record`: the best mail host with a public address; the domain itself for an implicit MX. */
      readonly primary: string;
      /** The mail hosts named, best first; the first 30 of them. */
      readonly exchanges: readonly string[];
    }
  | {
      readonly kind: 'none';
      readonly why: NoMailHost;
      /** How long the DNS says that this holds. */
      readonly ttlSeconds: number;
    }
  | { readonly kind: 'broken'; readonly why: string };

/**
 * The facts of one check, without any verdict: plain data that can be stored and judged again with today's lists
 * (decisions 6.7).
 */
export interface CheckFacts {
  /** null when nothing was asked, for it broke a rule of syntax, or nothing was said yet. */
  readonly mailHosts: MailHostFacts | null;
  /** null when no probe was made: not needed, not wanted (quick) or deferred. */
  readonly probe: ProbeFacts | null;
}

/** One address, checked to the depth that was asked for. */
export interface Check {
  readonly parsed: ParsedAddress;
  readonly mode: Mode;
  /** True when a probe is needed and was left to the worker. */
  readonly deferred: boolean;
  readonly facts: CheckFacts;
  readonly checkedAt: Date;
}

export type CheckOutcome =
  | { readonly kind: 'checked'; readonly check: Check }
  /** Our own failure: no verdict, nothing charged. `why` is for operators and holds no address. */
  | {
      readonly kind: 'unavailable';
      readonly why: string;
      /** Only our own politeness limits were in the way: a later try may fare better. */
      readonly busy?: true;
    };

export function addressOf(check: Check): Address | null {
  return check.parsed.ok ? check.parsed.address : null;
}
