import { nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import { readAnyJson } from '../../platform/database/read-json.js';

type StoredFacts = Omit<DomainFacts, 'domain'>;
type Check = (value: unknown) => boolean;

const isBoolean: Check = (value) => typeof value === 'boolean';
const isNames: Check = (value) => Array.isArray(value) && value.every((name) => typeof name === 'string');
const isOneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value);

/** Keyed by fact, so that the compiler checks that none is missing. */
const CHECKS: Readonly<Record<keyof StoredFacts, Check>> = {
  mx: isBoolean,
  nullMx: isBoolean,
  spf: isBoolean,
  dkim: isBoolean,
  dmarc: isBoolean,
  dmarcPolicy: isOneOf('none', 'quarantine', 'reject'),
  mtaSts: isBoolean,
  tlsRpt: isBoolean,
  bimi: isBoolean,
  mailHostListed: isBoolean,
  dane: isBoolean,
  blacklists: Number.isInteger,
  dnssec: isOneOf('secure', 'insecure', 'bogus'),
  caa: isBoolean,
  nameServers: isNames,
  addresses: isNames,
  mailHosts: isNames,
};
const KEYS = Object.keys(CHECKS) as (keyof StoredFacts)[];

/** Serializes facts without the domain's name, which is the row's key. */
export function writeDomainFacts(facts: DomainFacts): string {
  return JSON.stringify({ ...facts, domain: undefined });
}

/**
 * Parses stored facts. Facts that this release does not understand are null; returns null if the text is no facts at
 * all.
 */
export function readDomainFacts(domain: string, stored: unknown): DomainFacts | null {
  const read = readAnyJson(stored);
  if (typeof read !== 'object' || read === null || Array.isArray(read)) return null;
  const given = read as Readonly<Record<string, unknown>>;
  const facts: Record<string, unknown> = { ...nothingKnownOf(domain) };
  for (const key of KEYS) if (CHECKS[key](given[key])) facts[key] = given[key];
  return facts as never;
}
