import { isPublicAddress } from '../../engine/dns/public-address.js';
import { parseIpv6 } from '../../engine/dns/ip-address.js';

/** What speaks for and against an open port 25 on the way out of one egress. Times in milliseconds. */
export interface PortEvidence {
  /** A connection came about. */
  readonly connectedAtMs: number | null;
  /** Public networks of which hosts did not answer since, with the time of the last. */
  readonly silent: ReadonlyMap<string, number>;
  /** Since then well-known mail hosts could not be connected to. */
  readonly referencesFailedAtMs: number | null;
}

export type PortVerdict = 'open' | 'closed' | 'unknown';

export const NO_EVIDENCE: PortEvidence = { connectedAtMs: null, silent: new Map(), referencesFailedAtMs: null };

/** Longer than the time between two self-checks, so that what one found holds until the next. */
export const EVIDENCE_WINDOW_MS = 900_000;
/** Silent networks, each of a different provider as a rule, before silence is our own port's. */
const ENOUGH_NETWORKS = 5;
const MAX_NETWORKS = 16;

/** A connection settles it, whatever was before. */
export function afterConnection(nowMs: number): PortEvidence {
  return { ...NO_EVIDENCE, connectedAtMs: nowMs };
}

/**
 * No answer from an address, in full time. Private addresses say nothing of a way out to the internet, so that a laboratory
 * with dead hosts is never taken for a closed port.
 */
export function afterSilence(evidence: PortEvidence, address: string, nowMs: number): PortEvidence {
  const network = isPublicAddress(address) ? networkOf(address) : null;
  if (network === null || (evidence.silent.size >= MAX_NETWORKS && !evidence.silent.has(network))) return evidence;
  return { ...evidence, silent: new Map(evidence.silent).set(network, nowMs) };
}

/** A host that refuses has been reached: the hosts that were silent before it are dead by themselves. */
export function afterRefusal(evidence: PortEvidence): PortEvidence {
  return evidence.silent.size === 0 ? evidence : { ...evidence, silent: new Map() };
}

export function afterReferencesFailed(evidence: PortEvidence, nowMs: number): PortEvidence {
  return { ...evidence, referencesFailedAtMs: nowMs };
}

/** Hosts of several networks were silent in a row: worth asking well-known ones. */
export function isSuspicious({ silent }: PortEvidence, nowMs: number): boolean {
  return countSince(silent, nowMs - EVIDENCE_WINDOW_MS) >= ENOUGH_NETWORKS;
}

/**
 * `closed`: well-known mail hosts cannot be reached, or, where there is nobody to ask, hosts of several public networks were
 * silent with not one connection in the window. `open`: a connection in the window. `unknown` is no reason to doubt a probe.
 */
export function portVerdict(evidence: PortEvidence, nowMs: number): PortVerdict {
  const since = nowMs - EVIDENCE_WINDOW_MS;
  if (evidence.referencesFailedAtMs !== null && evidence.referencesFailedAtMs > since) return 'closed';
  if (evidence.connectedAtMs !== null && evidence.connectedAtMs > since) return 'open';
  return isSuspicious(evidence, nowMs) ? 'closed' : 'unknown';
}

function countSince(silent: PortEvidence['silent'], since: number): number {
  let count = 0;
  for (const at of silent.values()) if (at > since) count += 1;
  return count;
}

/** The /24 or /48 around an address. */
function networkOf(address: string): string | null {
  if (!address.includes(':')) return address.split('.').slice(0, 3).join('.');
  return parseIpv6(address)?.slice(0, 3).join(':') ?? null;
}
