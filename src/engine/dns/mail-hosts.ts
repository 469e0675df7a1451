/** A host that takes mail for a domain, with the addresses that may be connected to. */
export interface MailHost {
  /** Lowercase, no trailing dot: the MX target as the MX record names it, or the domain itself for an implicit MX. */
  readonly name: string;
  readonly preference: number;
  /** Public addresses (decisions 6.2), IPv4 first. Never empty. */
  readonly addresses: readonly string[];
}

/**
 * Where mail for a domain goes (RFC 5321 5.1, RFC 7505).
 * - `found`: best preference first, ties shuffled, at most 5 hosts.
 * - `none`: definite: NXDOMAIN, null MX, neither MX nor address, or no target with a public address.
 * - `broken`: the domain's DNS failed where a definite answer was needed; nothing may be concluded.
 * - `unavailable`: our own resolver failed; not a verdict.
 */
export type MailHostsFinding =
  | {
      readonly kind: 'found';
      readonly hosts: readonly MailHost[];
      /** All MX target names of the domain in order, also those left out of `hosts`. */
      readonly exchanges: readonly string[];
      /** The name answered as `mx_record`: the best MX target with a public address, or the domain itself. */
      readonly primary: string;
      readonly implicit: boolean;
      readonly ttlSeconds: number;
    }
  | { readonly kind: 'none'; readonly why: NoMailHost; readonly ttlSeconds: number }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly why: string };

export type NoMailHost = 'nxdomain' | 'null_mx' | 'no_records' | 'no_public_address';
