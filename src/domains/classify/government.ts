import { getPublicSuffix } from 'tldts';
import { listedName } from '../../engine/signals/listed-name.js';
import { GOVERNMENT_DOMAINS, GOVERNMENT_LABELS } from './data/government-domains.js';

const governments = new Set(GOVERNMENT_DOMAINS);
const labelCountries = new Map(
  Object.entries(GOVERNMENT_LABELS).map(([label, countries]) => [label, new Set(countries)]),
);

/**
 * A government, parliament, authority or army: below `.gov`, `.mil`, `.gov.xx`, a state's name in `.us`, a label that a
 * country reserves for them, or on the list.
 */
export function isGovernment(domain: string): boolean {
  if (listedName(governments, domain) !== null) return true;
  const labels = domain.split('.');
  const [top = '', second = '', third = ''] = labels.toReversed();
  if (top === 'gov' || top === 'mil') return labels.length >= 2;
  if (top.length !== 2) return false;
  if (second === 'gov') return true;
  if (second === 'mil') return getPublicSuffix(domain, { validateHostname: false }) === `mil.${top}`;
  // state.ca.us: the second label is the state.
  if (top === 'us' && third === 'state' && second.length === 2) return true;
  return labels.length > 2 && labelCountries.get(second)?.has(top) === true;
}
