import { isPublicAddress } from '../../engine/dns/public-address.js';
import { parseIpv6 } from '../../engine/dns/ip-address.js';

/** Evidence for and against an open port 25 of one egress. Times in milliseconds. */
export interface PortEvidence {
  /** Last successful connection. */
  readonly connectedAtMs: number | null;
  /** Public networks with hosts silent since then, with the time of the last silence. */
  readonly silent: ReadonlyMap<string, number>;
  /** Since then, connections to well-known mail hosts fail. */
  readonly referencesFailedAtMs: number | null;
}

export const PORT_VERDICTS = ['open', 'closed', 'unknown'] as const;
export type PortVerdict = (typeof PORT_VERDICTS)[number];

export const NO_EVIDENCE: PortEvidence = { connectedAtMs: null, silent: new Map(), referencesFailedAtMs: null };

/** Longer than the interval of self-checks, so that each result holds until the next. */
export const EVIDENCE_WINDOW_MS = 900_000;
/** Silent networks, usually of different providers, that show our own port to be closed. */
const ENOUGH_NETWORKS = 5;
const MAX_NETWORKS = 16;

/** A connection clears all earlier evidence. */
export function afterConnection(nowMs: number): PortEvidence {
  return { ...NO_EVIDENCE, connectedAtMs: nowMs };
}

/**
 * Records an address that did not answer within the full time. Private addresses are ignored, so that a laboratory with
 * dead hosts never looks like a closed port.
 */
export function afterSilence(evidence: PortEvidence, address: string, nowMs: number): PortEvidence {
  const network = isPublicAddress(address) ? networkOf(address) : null;
  if (network === null || (evidence.silent.size >= MAX_NETWORKS && !evidence.silent.has(network))) return evidence;
  return { ...evidence, silent: new Map(evidence.silent).set(network, nowMs) };
}

/** A host that refuses was reached: hosts that were silent before are down themselves. */
export function afterRefusal(evidence: PortEvidence): PortEvidence {
  return evidence.silent.size === 0 ? evidence : { ...evidence, silent: new Map() };
}

export function afterReferencesFailed(evidence: PortEvidence, nowMs: number): PortEvidence {
  return { ...evidence, referencesFailedAtMs: nowMs };
}

/** Hosts of several networks in a row were silent: check well-known mail hosts. */
export function isSuspicious({ silent }: PortEvidence, nowMs: number): boolean {
  return countSince(silent, nowMs - EVIDENCE_WINDOW_MS) >= ENOUGH_NETWORKS;
}

/**
 * `closed`: well-known mail hosts are unreachable or, where none may be asked, hosts of several public networks were
 * silent without a connection in the window. `open`: a connection in the window. `unknown` does not discredit a probe.
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

/** The /24 or /48 of an address. */
function networkOf(address: string): string | null {
  if (!address.includes(':')) return address.split('.').slice(0, 3).join('.');
  return parseIpv6(address)?.slice(0, 3).join(':') ?? null;
}
