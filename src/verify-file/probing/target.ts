import type { Address } from '../../engine/address/address.js';

/** An address of a list that has no verdict yet. */
export interface Target {
  /** Its number among the entries of the list. */
  readonly entry: number;
  readonly address: Address;
  /** How often its mail hosts had a pause because they refused us. */
  readonly pauses: number;
}

/** Addresses that are asked about together, over shared connections. */
export interface Chunk {
  /** The group of their mail hosts; null: several small groups. */
  readonly group: string | null;
  readonly targets: readonly Target[];
  /** `retry`: they were greylisted before. */
  readonly attempt: 'first' | 'retry';
  /** The way out that a retry uses again; null: any. */
  readonly egress: string | null;
  /** Runs in a row that achieved nothing because of our own failure. */
  readonly failures: number;
}
