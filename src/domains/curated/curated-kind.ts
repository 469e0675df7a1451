/** The lists an operator maintains: blocked domains, spam traps, and targets that must not be probed. */
export const CURATED_KINDS = ['block', 'spam_trap', 'no_probe'] as const;
export type CuratedKind = (typeof CURATED_KINDS)[number];
