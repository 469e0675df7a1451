import { getPublicSuffix } from 'tldts';
import { listedName } from '../../engine/signals/listed-name.js';
import { ACADEMIC_DOMAINS } from './data/academic-domains.js';

const academic = new Set(ACADEMIC_DOMAINS);
/** Second-level labels for schools and universities, in countries that reserve them. */
const RESERVED_LABELS = new Set(['ac', 'sch', 'school', 'ed']);

/**
 * A school, university or research organisation: below `.edu` or `.edu.xx`, below a reserved `.ac.xx` or the like, in a
 * school district of the United States, or on the list.
 */
export function isEducation(domain: string): boolean {
  if (listedName(academic, domain) !== null) return true;
  const labels = domain.split('.');
  const [top = '', second = '', third = ''] = labels.toReversed();
  if (top === 'edu') return labels.length >= 2;
  if (top.length !== 2 || labels.length < 3) return false;
  if (second === 'edu' || second === 'k12') return true;
  // school.k12.ca.us: the second label is the state.
  if (third === 'k12' && top === 'us') return labels.length > 3;
  return RESERVED_LABELS.has(second) && isReserved(domain);
}

/** In other countries anyone can register `ac.xx` and names below it. */
function isReserved(domain: string): boolean {
  return (getPublicSuffix(domain, { validateHostname: false }) ?? '').includes('.');
}
