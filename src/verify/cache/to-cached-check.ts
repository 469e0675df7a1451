import type { Address } from '../../engine/address/address.js';
import type { Check } from '../../engine/check.js';
import { ENGINE_VERSION } from '../../engine/engine-version.js';
import { depthOf, type CachedCheck } from './cached-check.js';
import { lifeSeconds } from './life.js';

/** A check as it is put on record; null for facts that are not worth keeping. @param hash of the address */
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
