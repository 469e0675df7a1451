/** A mail host of a domain, with the addresses to which we may connect. */
export interface MailHost {
  /** Lowercase, no trailing dot: the MX target, or the domain itself for an implicit MX. */
  readonly name: string;
  readonly preference: number;
  /** Public addresses (decisions 6.2), IPv4 first. Never empty. */
  readonly addresses: readonly string[];
}

/**
 * The mail hosts of a domain (RFC 5321 5.1, RFC 7505).
 * - `found`: best preference first, ties shuffled, at most 5 hosts.
 * - `none`: definite: NXDOMAIN, null MX, neither MX nor address, or no target with a public address.
 * - `broken`: the domain's DNS failed for a needed answer; proves nothing.
 * - `unavailable`: our own resolver failed; not a verdict.
 */
export type MailHostsFinding =
  | {
      readonly kind: 'found';
      readonly hosts: readonly MailHost[];
      /** All MX targets in order, also those left out of `hosts`. */
      readonly exchanges: readonly string[];
      /** The `mx_record` of the answer: the best MX target with a public address, or the domain itself. */
      readonly primary: string;
      readonly ttlSeconds: number;
    }
  | { readonly kind: 'none'; readonly why: NoMailHost; readonly ttlSeconds: number }
  | { readonly kind: 'broken'; readonly why: string }
  | { readonly kind: 'unavailable'; readonly why: string };

export type NoMailHost = 'nxdomain' | 'null_mx' | 'no_records' | 'no_public_address';
