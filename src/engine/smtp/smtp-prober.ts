import { HostSearch } from './host-search.js';
import { probeTools, type ProbeTools, type SmtpProberOptions } from './probe-tools.js';
import type { Prober, ProbeOutcome, ProbeRequest } from './prober.js';

/** Asks mail hosts over SMTP whether they would take mail for an address (decisions 6.3, 6.10). */
export class SmtpProber implements Prober {
  private readonly tools: ProbeTools;

  constructor(private readonly options: SmtpProberOptions) {
    this.tools = probeTools(options);
  }

  probe(request: ProbeRequest): Promise<ProbeOutcome> {
    return new HostSearch(this.tools, request, this.options.egress.choose(request.egress)).probeHosts();
  }
}
