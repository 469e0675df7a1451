/** The lists that a verdict uses. All look-ups take lowercase A-label names, take microseconds and never throw. */
export interface SignalLists {
  /** True if the domain, or a parent that is no public suffix, is a throw-away provider; never for allow-listed domains. */
  isDisposableDomain(domain: string): boolean;
  /** True if one of these mail hosts belongs to a throw-away service. */
  isDisposableMailHost(hosts: readonly string[]): boolean;
  /** True for the relay or freemail allow-list, which overrides every disposable signal (decisions 5.1 row 4). */
  isAllowListed(domain: string): boolean;
  /** True if listed as freemail, else null: only a classified domain is known not to be freemail. */
  isFreemail(domain: string): true | null;
  /** Name of the relay or alias-masking service behind the domain, or null. */
  relayProvider(domain: string, hosts: readonly string[]): string | null;
  /** True for the local part of a shared mailbox; handles `+tag` and separators. */
  isRole(localPart: string): boolean;
}

/**
 * Mail systems whose postmasters asked us not to probe (decisions 6.6). Never throws: until a process has loaded the
 * list, everybody counts as listed.
 */
export interface DoNotProbe {
  /** True if the domain, mail host or a parent of it is listed. */
  isNoProbe(name: string): boolean;
  /** True if a listed range contains the mail host's address. */
  isNoProbeAddress(ip: string): boolean;
}

/**
 * Lists that the operator keeps (decisions 5.1 rows 2 and 9, 6.6). Until a process has loaded them, `blocked` and
 * `isSpamTrap` throw: our own failure, not a verdict.
 */
export interface CuratedLists extends DoNotProbe {
  /** Non-null if the domain or a parent is on the blocklist. */
  blocked(domain: string): { readonly label: string | null } | null;
  /** True if the domain, a parent or a mail host is on the spam-trap registry. */
  isSpamTrap(domain: string, hosts: readonly string[]): boolean;
}
