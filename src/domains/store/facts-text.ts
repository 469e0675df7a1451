import { FACT_CHECKS, FACTS, nothingKnownOf, type DomainFacts } from '../domain-facts.js';
import { isObject } from '../../platform/validation/read-object.js';
import { readAnyJson } from '../../platform/database/read-json.js';

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
  if (!isObject(read)) return null;
  const facts: Record<string, unknown> = { ...nothingKnownOf(domain) };
  for (const fact of FACTS) if (FACT_CHECKS[fact](read[fact])) facts[fact] = read[fact];
  return facts as never;
}
