import type { BulkProber, BulkProbeRequest } from '../../engine/smtp/bulk/bulk-prober.js';
import type { Prober, ProbeOutcome, ProbeRequest } from '../../engine/smtp/prober.js';
import type { EgressMonitor } from './egress-monitor.js';

/**
 * A probe that connected to no mail host, through an egress whose port 25 is closed, is our own failure and no verdict
 * (decisions 5.1): nobody is charged for it. One that connected stands, whatever was believed of the port.
 */
export class PortAwareProber implements Prober {
  constructor(
    private readonly inner: Prober,
    private readonly monitor: Pick<EgressMonitor, 'isPortClosed'>,
  ) {}

  async probe(request: ProbeRequest): Promise<ProbeOutcome> {
    const found = await this.inner.probe(request);
    const outcome = withPort(found, this.monitor);
    if (outcome.kind === 'unavailable' && outcome !== found) {
      request.trace?.({ kind: 'note', text: `No verdict: ${outcome.why}.` });
    }
    return outcome;
  }
}

/** The same for many recipients, each by itself. */
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
  return { kind: 'unavailable', why: `port 25 seems to be closed on our way out (${egress})` };
}
