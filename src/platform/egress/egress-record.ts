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
  private evidence: PortEvidence = NO_EVIDENCE;
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

  get port(): PortVerdict {
    return portVerdict(this.evidence, this.options.now());
  }

  get suspicious(): boolean {
    return isSuspicious(this.evidence, this.options.now());
  }

  /** Known public source addresses. */
  get sources(): readonly string[] {
    return [...this.knownSources];
  }

  chosen(): void {
    this.circuit = whenChosen(this.circuit, this.options.now());
  }

  /** @param localAddress our end of the connection */
  connected(localAddress: string | undefined): void {
    this.circuit = SOUND;
    this.evidence = afterConnection(this.options.now());
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
    if (blame === 'ours') {
      this.circuit = afterFailure(this.circuit, now);
    } else if (why === 'refused' || why === 'reset') {
      this.circuit = SOUND;
      this.evidence = afterRefusal(this.evidence);
    } else if (why === 'unreachable' || (why === 'timeout' && waitedMs >= PATIENCE_MS)) {
      this.evidence = afterSilence(this.evidence, address, now);
    }
    if (wasWell && (this.failing || this.suspicious)) this.onTrouble();
  }

  referencesFailed(): void {
    this.evidence = afterReferencesFailed(this.evidence, this.options.now());
  }
}
