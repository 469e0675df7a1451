import { selectDmarcRecord, type DmarcPolicy, type DmarcRecord } from './dmarc-record.js';
import type { Texts } from './texts.js';

/** The TXT records found at `_dmarc.<domain>`. */
export interface DmarcLookUp {
  readonly domain: string;
  readonly texts: Texts;
}

export type DmarcStep =
  /** Query the TXT records of `name` next, and call again with the result. */
  | { readonly kind: 'ask'; readonly domain: string; readonly name: string }
  /** `at`: the record's location. `policy`: its policy for the domain. */
  | { readonly kind: 'applies'; readonly record: DmarcRecord; readonly at: string; readonly policy: DmarcPolicy }
  | { readonly kind: 'none' }
  /** A decisive look-up failed. */
  | { readonly kind: 'unknown' };

/**
 * Labels of the highest name queried for a long domain; with the domain itself that makes at most eight queries (RFC
 * 9989 4.10).
 */
const MAX_ANCESTOR_LABELS = 7;

/**
 * Finds the DMARC record that applies to a domain, one query at a time (RFC 9989 4.10, 4.10.1). Pure: call it with the
 * look-ups made so far, in any order, until it returns something other than `ask`.
 *
 * The domain's own record wins. Without one, the tree walk looks for the organisation's: the first with `psd=n`; the
 * one right below a public suffix (`psd=y`), else that suffix's; else the highest. A failed look-up leaves the result
 * open, except a top-level domain's if a record was found below it: a registry's broken server must not hide that.
 *
 * @param domain lowercase, A-labels
 * @param exists false if the domain itself is NXDOMAIN: then `np` applies to it; null if that could not be found out
 */
export function nextDmarcStep(
  domain: string,
  lookUps: readonly DmarcLookUp[],
  exists: boolean | null = true,
): DmarcStep {
  const known = new Map(lookUps.map((lookUp) => [lookUp.domain, lookUp.texts]));
  const found: Found[] = [];
  for (const at of dmarcTargets(domain)) {
    const texts = known.get(at);
    if (texts === undefined) return { kind: 'ask', domain: at, name: `_dmarc.${at}` };
    if (texts === null) {
      if (at.includes('.') || found.length === 0) return { kind: 'unknown' };
      break;
    }
    const record = selectDmarcRecord(texts);
    if (record === null) continue;
    if (at === domain) return applied({ at, record }, record.policy);
    found.push({ at, record });
    if (record.psd !== 'u') break;
  }
  const organisation = chooseOrganisation(domain, found);
  if (organisation === null) return { kind: 'none' };
  const { policy, subdomainPolicy, missingSubdomainPolicy } = organisation.record;
  const existing = subdomainPolicy ?? policy;
  const missing = missingSubdomainPolicy ?? existing;
  if (exists === null && missing !== existing) return { kind: 'unknown' };
  return applied(organisation, exists === false ? missing : existing);
}

/**
 * The domains whose `_dmarc` names may be queried, in order: the domain and its parents up to the top; for a domain
 * with more than seven labels, itself and its last seven.
 */
export function dmarcTargets(domain: string): readonly string[] {
  const labels = domain.split('.');
  const ancestors = Math.min(MAX_ANCESTOR_LABELS, labels.length - 1);
  return [domain, ...Array.from({ length: ancestors }, (_, up) => labels.slice(up - ancestors).join('.'))];
}

/** `dmarc` and `dmarc_policy` of the domain object (decisions 8.2). */
export function dmarcFacts(step: Exclude<DmarcStep, { kind: 'ask' }>): {
  readonly dmarc: boolean | null;
  readonly dmarcPolicy: DmarcPolicy | null;
} {
  if (step.kind === 'unknown') return { dmarc: null, dmarcPolicy: null };
  return step.kind === 'none' ? { dmarc: false, dmarcPolicy: null } : { dmarc: true, dmarcPolicy: step.policy };
}

interface Found {
  readonly at: string;
  readonly record: DmarcRecord;
}

/** @param found records above the domain, nearest first; only the last may have a `psd` of `y` or `n` */
function chooseOrganisation(domain: string, found: readonly Found[]): Found | null {
  const last = found.at(-1);
  if (last?.record.psd !== 'y') return last ?? null;
  const below = domain.split('.').at(-last.at.split('.').length - 1) ?? '';
  return found.find(({ at }) => at === `${below}.${last.at}`) ?? last;
}

/** A record with neither a policy nor a report address switches DMARC off for the domains it applies to. */
function applied({ at, record }: Found, policy: DmarcPolicy): DmarcStep {
  return record.effective ? { kind: 'applies', record, at, policy } : { kind: 'none' };
}
