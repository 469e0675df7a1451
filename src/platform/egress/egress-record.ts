import { isIPv6 } from 'node:net';
import { isPublicAddress } from '../../engine/dns/public-address.js';
import type { ConnectionFault } from '../../engine/smtp/egress.js';
import { afterFailure, isFailing, isPassedOver, SOUND, whenChosen, type Circuit } from './egress-circuit.js';
import {
  afterConnection,
  afterReferencesFailed,
  afterRefusal,
  afterSilence,
  isSuspicious,
  NO_EVIDENCE,
  portVerdict,
  type PortEvidence,
  type PortVerdict,
} from './port-evidence.js';

export interface EgressRecordOptions {
  /**
   * Configured source addresses; empty: the system's choice, learnt from connections; null: those of a proxy, which are
   * unknown.
   */
  readonly sources: readonly string[] | null;
  /** Monotonic clock, milliseconds. */
  readonly now: () => number;
}

/** An attempt cut off sooner than this does not prove that the host is silent. */
const PATIENCE_MS = 2000;

/** Results of connection attempts through one egress. */
export class EgressRecord {
  private circuit: Circuit = SOUND;
  private readonly evidence: Record<Family, PortEvidence> = { ipv4: NO_EVIDENCE, ipv6: NO_EVIDENCE };
  private readonly knownSources: Set<string>;
  /** Called when the egress begins to fail, and when the port becomes suspicious. */
  onTrouble: () => void = () => undefined;

  constructor(private readonly options: EgressRecordOptions) {
    this.knownSources = new Set((options.sources ?? []).filter((source) => isPublicAddress(source)));
  }

  /** Keeps failing by its own fault. */
  get failing(): boolean {
    return isFailing(this.circuit);
  }

  get passedOver(): boolean {
    return isPassedOver(this.circuit, this.options.now());
  }

  /** Of IPv4; of IPv6 while nothing is known of IPv4. */
  get port(): PortVerdict {
    const { evidence, options } = this;
    const overIpv4 = portVerdict(evidence.ipv4, options.now());
    return overIpv4 === 'unknown' ? portVerdict(evidence.ipv6, options.now()) : overIpv4;
  }

  get suspicious(): boolean {
    return isSuspicious(this.evidence.ipv4, this.options.now());
  }

  /** Known public source addresses. */
  get sources(): readonly string[] {
    return [...this.knownSources];
  }

  chosen(): void {
    this.circuit = whenChosen(this.circuit, this.options.now());
  }

  /** @param localAddress our end of the connection */
  connected(address: string, localAddress: string | undefined): void {
    this.circuit = SOUND;
    this.evidence[familyOf(address)] = afterConnection(this.options.now());
    const learns = this.options.sources?.length === 0;
    if (learns && localAddress !== undefined && isPublicAddress(localAddress) && this.knownSources.size < 2) {
      this.knownSources.add(localAddress);
    }
  }

  /** @param cut the check ended before the attempt did */
  failed(address: string, { blame, why }: ConnectionFault, waitedMs: number, cut: boolean): void {
    if (cut && waitedMs < PATIENCE_MS) return;
    const now = this.options.now();
    const wasWell = !this.failing && !this.suspicious;
    const family = familyOf(address);
    if (blame === 'ours') {
      // A missing IPv6 says nothing about IPv4, by which almost all hosts are reached.
      if (family === 'ipv4' || why !== 'unreachable') this.circuit = afterFailure(this.circuit, now);
    } else if (why === 'refused' || why === 'reset') {
      this.circuit = SOUND;
      this.evidence[family] = afterRefusal(this.evidence[family]);
    } else if (why === 'unreachable' || (why === 'timeout' && waitedMs >= PATIENCE_MS)) {
      this.evidence[family] = afterSilence(this.evidence[family], address, now);
    }
    if (wasWell && (this.failing || this.suspicious)) this.onTrouble();
  }

  /** @param address the last one that was tried */
  referencesFailed(address: string): void {
    const family = familyOf(address);
    this.evidence[family] = afterReferencesFailed(this.evidence[family], this.options.now());
  }
}

/** A provider may close the port of one family only. */
type Family = 'ipv4' | 'ipv6';

function familyOf(address: string): Family {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
