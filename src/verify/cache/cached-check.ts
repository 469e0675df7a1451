import type { Check, CheckFacts } from '../../engine/check.js';

/** How deep a check went, shallow first: `dns` asked no mail host, `enhanced` asked for a random recipient too. */
export const DEPTHS = ['dns', 'standard', 'enhanced'] as const;
export type Depth = (typeof DEPTHS)[number];

/** A check on record: facts without an address and without a verdict, which is decided anew at every read (decisions 6.7). */
export interface CachedCheck {
  /** The address, as `AddressVault.hash` gives it. */
  readonly hash: string;
  /** A-labels, lowercase. */
  readonly domain: string;
  readonly facts: CheckFacts;
  readonly depth: Depth;
  readonly checkedAt: Date;
  /** When its life is over: `checkedAt` and `lifeSeconds`. */
  readonly expiresAt: Date;
  /** `ENGINE_VERSION` of the engine that checked. */
  readonly engineVersion: number;
}

export function depthOf({ facts, mode }: Pick<Check, 'facts' | 'mode'>): Depth {
  if (facts.probe === null) return 'dns';
  return mode === 'enhanced' ? 'enhanced' : 'standard';
}

/** False for a result that was recorded before reasons were kept: `withoutReason` shapes its answer. */
export function reasonKept({ engineVersion }: Pick<CachedCheck, 'engineVersion'>): boolean {
  return engineVersion > 0;
}
