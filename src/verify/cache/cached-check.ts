import type { Check, CheckFacts } from '../../engine/check.js';

/** Depth of a check, shallow first: `dns` asked no mail host, `enhanced` also asked for a random recipient. */
export const DEPTHS = ['dns', 'standard', 'enhanced'] as const;
export type Depth = (typeof DEPTHS)[number];

/** A cached check: facts without the address or a verdict, which is decided anew at every read (decisions 6.7). */
export interface CachedCheck {
  /** Address hash of `AddressVault.hash`. */
  readonly hash: string;
  /** A-labels, lowercase. */
  readonly domain: string;
  readonly facts: CheckFacts;
  readonly depth: Depth;
  readonly checkedAt: Date;
  /** `checkedAt` plus `lifeSeconds`. */
  readonly expiresAt: Date;
  /** `ENGINE_VERSION` of the engine that ran the check. */
  readonly engineVersion: number;
}

export function depthOf({ facts, mode }: Pick<Check, 'facts' | 'mode'>): Depth {
  if (facts.probe === null) return 'dns';
  return mode === 'enhanced' ? 'enhanced' : 'standard';
}

/** False for a check recorded before reasons were stored: `withoutReason` shapes its answer. */
export function reasonKept({ engineVersion }: Pick<CachedCheck, 'engineVersion'>): boolean {
  return engineVersion > 0;
}
