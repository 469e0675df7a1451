/** The lists a verdict looks at. All look-ups take lowercase A-label names, cost microseconds and never throw. */
export interface SignalLists {
  /** The domain, or a parent that is no public suffix, is a throw-away provider; allow-listed domains never are. */
  isDisposableDomain(domain: string): boolean;
  /** One of these mail hosts belongs to a throw-away service. */
  isDisposableMailHost(hosts: readonly string[]): boolean;
  /** On the relay or freemail allow-list, which beats every disposable signal (decisions 5.1 row 4). */
  isAllowListed(domain: string): boolean;
  /** True when listed as freemail; null otherwise: only a classified domain is known not to be. */
  isFreemail(domain: string): true | null;
  /** Name of the relay or alias-masking service behind the domain, else null. */
  relayProvider(domain: string, hosts: readonly string[]): string | null;
  /** A shared mailbox's local part: `+tag` and separators handled. */
  isRole(localPart: string): boolean;
}

/**
 * Mail systems whose postmasters asked to be left alone (decisions 6.6). It never throws: while a process does not have the
 * list yet, everybody is on it.
 */
export interface DoNotProbe {
  /** The name of a domain or a mail host, or a parent of it, is listed. */
  isNoProbe(name: string): boolean;
  /** The address of a mail host lies in a listed range. */
  isNoProbeAddress(ip: string): boolean;
}

/**
 * Lists the operator keeps (decisions 5.1 rows 2 and 9, 6.6). While a process does not have them yet, `blocked` and
 * `isSpamTrap` throw: that is a failure of our own and no verdict.
 */
export interface CuratedLists extends DoNotProbe {
  /** Non-null when the domain or a parent is on the blocklist. */
  blocked(domain: string): { readonly label: string | null } | null;
  /** Domain, parent or mail host on the spam-trap registry. */
  isSpamTrap(domain: string, hosts: readonly string[]): boolean;
}
