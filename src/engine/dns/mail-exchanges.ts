import { normalizeName } from './domain-name.js';
import type { RecordData } from './resolver.js';

/** The target of one MX record. */
export interface MailExchange {
  readonly name: string;
  readonly preference: number;
}

/**
 * MX targets in the order to try (RFC 5321 5.1): lowest preference first, ties shuffled, each name once at its best
 * preference. Leaves out targets of `.`; an empty result is a null MX (RFC 7505 3), whatever its preference.
 *
 * `random` returns numbers from 0 up to, but not including, 1.
 */
export function orderExchanges(records: readonly RecordData[], random: () => number): MailExchange[] {
  const best = new Map<string, number>();
  for (const record of records) {
    if (record.type !== 'MX' || record.exchange === '.') continue;
    best.set(record.exchange, Math.min(record.preference, best.get(record.exchange) ?? Number.POSITIVE_INFINITY));
  }
  return inOrderOfPreference(
    Array.from(best, ([name, preference]) => ({ name, preference })),
    random,
  );
}

/** Lowest preference first, ties shuffled. @param random returns numbers from 0 up to, but not including, 1 */
export function inOrderOfPreference<T extends { readonly preference: number }>(
  targets: readonly T[],
  random: () => number,
): T[] {
  return targets
    .map((target) => ({ target, lot: random() }))
    .sort((one, other) => one.target.preference - other.target.preference || one.lot - other.lot)
    .map(({ target }) => target);
}

/**
 * True if an MX target can be a host name. An address in its place ("10 192.0.2.1") is a name whose last label is all
 * digits, which no host has (RFC 3696 2).
 */
export function canBeHost(name: string): boolean {
  const last = name.slice(name.lastIndexOf('.') + 1);
  return normalizeName(name) !== null && !/^\d+$/.test(last);
}

/** True for names that mean this machine wherever they are asked for (RFC 6761 6.3). */
export function isLocalhost(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || name === 'localhost.localdomain';
}
