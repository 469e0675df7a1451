import type { Address } from '../../engine/address/address.js';
import type { Check } from '../../engine/check.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import { depthOf, type CachedCheck } from './cached-check.js';
import { lifeSeconds } from './life.js';

/** The cacheable form of a check; null for facts that are not stored. @param hash address hash */
export function toCachedCheck(
  { domain }: Address,
  hash: string,
  { facts, mode, checkedAt }: Pick<Check, 'facts' | 'mode' | 'checkedAt'>,
): CachedCheck | null {
  const life = lifeSeconds(facts);
  if (life === null) return null;
  const expiresAt = new Date(checkedAt.getTime() + life * 1000);
  return { hash, domain, facts, depth: depthOf({ facts, mode }), checkedAt, expiresAt, engineVersion: ENGINE_VERSION };
}
