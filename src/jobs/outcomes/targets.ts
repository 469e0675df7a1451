import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Address } from '../../engine/address/address.js';
import { canonicalAddress } from '../../engine/address/canonical-address.js';
import { readListEntry } from '../../verify/batch-entry.js';

/** An entry of a job without an outcome. */
export interface OpenEntry {
  readonly position: number;
  /** The address as it was sent. */
  readonly sent: string;
}

/** A distinct address of a job: it is probed once for all its entries. */
export interface Target {
  readonly address: Address;
  /** Hashes that it may be on record under, the current one first. */
  readonly hashes: readonly string[];
  readonly positions: readonly number[];
}

export interface ReadTargets {
  readonly targets: readonly Target[];
  /** Positions of entries that are not valid addresses in this release. */
  readonly unreadable: readonly number[];
}

/** Entries read without a break; other jobs run in between. */
const SLICE = 500;

/** Reads the distinct addresses of entries, in order. */
export async function readTargets(
  entries: readonly OpenEntry[],
  hashesOf: (address: Address) => readonly string[],
): Promise<ReadTargets> {
  const targets = new Map<string, Target & { readonly positions: number[] }>();
  const unreadable: number[] = [];
  for (const [i, { sent, position }] of entries.entries()) {
    if (i % SLICE === SLICE - 1) await nextTurn();
    const entry = readListEntry(sent);
    if (entry.kind === 'no_address') {
      unreadable.push(position);
      continue;
    }
    const { address } = entry;
    const key = canonicalAddress(address);
    const known = targets.get(key);
    if (known === undefined) targets.set(key, { address, hashes: hashesOf(address), positions: [position] });
    else known.positions.push(position);
  }
  return { targets: [...targets.values()], unreadable };
}
