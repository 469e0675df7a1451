import type { BulkProber, BulkProbeRequest } from '../../engine/smtp/bulk/bulk-prober.js';
import type { Prober, ProbeOutcome, ProbeRequest } from '../../engine/smtp/prober.js';
import type { SmtpStage } from '../../engine/smtp/reply.js';
import type { EgressMonitor } from './egress-monitor.js';

/**
 * Turns a probe that connected to no mail host, through an egress with port 25 closed, into our own failure without a
 * verdict (decisions 5.1), which is not charged. A probe that connected keeps its result, whatever the port's state.
 */
export class PortAwareProber implements Prober {
  constructor(
    private readonly inner: Prober,
    private readonly monitor: Pick<EgressMonitor, 'isPortClosed' | 'isAnyPortClosed'>,
  ) {}

  async probe(request: ProbeRequest): Promise<ProbeOutcome> {
    const { onStage } = request;
    // A caller that can't wait for the end would take it for a host that does not let us connect.
    const report = (stage: SmtpStage): void => {
      if (stage !== 'connect' || !this.monitor.isAnyPortClosed) onStage?.(stage);
    };
    const found = await this.inner.probe({ ...request, onStage: report });
    const outcome = withPort(found, this.monitor);
    if (outcome.kind === 'unavailable' && outcome !== found) {
      request.trace?.({ kind: 'note', text: `No verdict: ${outcome.why}.` });
    }
    return outcome;
  }
}

/** The same for many recipients, each judged alone. */
export class PortAwareBulkProber implements BulkProber {
  constructor(
    private readonly inner: BulkProber,
    private readonly monitor: Pick<EgressMonitor, 'isPortClosed'>,
  ) {}

  probe(request: BulkProbeRequest): Promise<void> {
    const onOutcome = (index: number, outcome: ProbeOutcome): void =>
      request.onOutcome(index, withPort(outcome, this.monitor));
    return this.inner.probe({ ...request, onOutcome });
  }
}

function withPort(outcome: ProbeOutcome, monitor: Pick<EgressMonitor, 'isPortClosed'>): ProbeOutcome {
  if (outcome.kind === 'unavailable') return outcome;
  const { ending, egress } = outcome.facts;
  if (ending !== 'no_connection' || egress === null || !monitor.isPortClosed(egress)) return outcome;
  return { kind: 'unavailable', why: `port 25 seems to be closed on our egress (${egress})` };
}
