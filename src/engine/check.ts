import type { ParsedAddress } from './address/address.js';
import type { MailHostsFinding } from './dns/mail-hosts.js';
import type { ProbeFacts } from './smtp/prober.js';
import type { Mode } from './verdict/result.js';

/** Where mail for a domain goes according to the DNS, as plain data. */
export type MailHostFacts =
  | {
      readonly kind: 'found';
      /** `mx_record`: the best mail host with a public address; the domain itself for an implicit MX. */
      readonly primary: string;
      /** The first 30 mail host names, best first. */
      readonly exchanges: readonly string[];
    }
  | Extract<MailHostsFinding, { kind: 'none' | 'broken' }>;

/**
 * The facts of one check without a verdict: plain data that can be stored and judged again with today's lists
 * (decisions 6.7).
 */
export interface CheckFacts {
  /** null if the DNS was not asked (a syntax error) or has not answered yet. */
  readonly mailHosts: MailHostFacts | null;
  /** null without a probe: not needed, not wanted (quick) or deferred. */
  readonly probe: ProbeFacts | null;
}

/** One address, checked to the requested depth. */
export interface Check {
  readonly parsed: ParsedAddress;
  readonly mode: Mode;
  /** True if the check needs a probe, which is left to the worker. */
  readonly deferred: boolean;
  readonly facts: CheckFacts;
  readonly checkedAt: Date;
}

export type CheckOutcome =
  | { readonly kind: 'checked'; readonly check: Check }
  /** Our own failure: no verdict, no charge. `why` is for operators and holds no address. */
  | {
      readonly kind: 'unavailable';
      readonly why: string;
      /** Only our own politeness limits stopped the probe: a later try may succeed. */
      readonly busy?: true;
    };
