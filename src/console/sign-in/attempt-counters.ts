/**
 * Signs that somebody is guessing: failed sign-ins of one client network, for one email and for any. And all sign-ins of that
 * network for that email, since each takes one of the few turns to hash.
 */
export const LIMITS = { pair: 10, network: 30, everyTry: 100 } as const;
export const WINDOW_SECONDS = 3600;
/**
 * Wrong authentication codes of a user, whatever networks they come from: who knows the password and has many addresses
 * would find one of the three that are good at a time.
 */
export const CODES = { limit: 30, windowSeconds: 86_400 } as const;

/** Counts tries under names, each for a while from its first. */
export interface AttemptCounters {
  /**
   * Counts a try under each name, unless one has reached its limit.
   * @param windowSeconds for how long a first try counts
   * @returns 0 if it was counted, otherwise the seconds until the next try may be made
   */
  take(names: readonly string[], limits: readonly number[], windowSeconds: number): Promise<number>;
  /** Takes one try back. */
  giveBack(names: readonly string[]): Promise<void>;
}
