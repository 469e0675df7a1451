import { parseAddress } from '../../src/engine/address/parse-address.js';
import type { Knowledge } from '../../src/engine/assess.js';
import {
  NOTHING_LISTED,
  StaticCuratedLists,
  type CuratedTables,
} from '../../src/engine/signals/static-curated-lists.js';
import { StaticSignalLists } from '../../src/engine/signals/static-signal-lists.js';
import { findProvider } from '../../src/engine/smtp/providers/find-provider.js';
import type { Target } from '../../src/jobs/outcomes/targets.js';

/** Lists with one disposable domain, the real providers, and what an operator has listed. */
export function knowledgeWith(listed: Partial<CuratedTables> = {}): Knowledge {
  return {
    lists: new StaticSignalLists(new Set(['throw-away.test'])),
    curated: new StaticCuratedLists({ ...NOTHING_LISTED, ...listed }),
    findProvider,
    suggestCorrection: () => null,
  };
}

export function targetOf(email: string, positions: readonly number[] = [0]): Target {
  const parsed = parseAddress(email);
  if (!parsed.ok) throw new Error(`not an address: ${email}`);
  return { address: parsed.address, hashes: [`hash of ${email}`], positions };
}
