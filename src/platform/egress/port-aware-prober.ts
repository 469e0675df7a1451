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
    const outcome = await this.inner.probe(request);
    if (outcome.kind === 'unavailable') return outcome;
    const { ending, egress } = outcome.facts;
    if (ending !== 'no_connection' || egress === null || !this.monitor.isPortClosed(egress)) return outcome;
    const why = `port 25 seems to be closed on our way out (${egress})`;
    request.trace?.({ kind: 'note', text: `No verdict: ${why}.` });
    return { kind: 'unavailable', why };
  }
}
