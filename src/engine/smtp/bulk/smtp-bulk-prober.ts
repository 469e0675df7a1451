import { classifiedOnce } from '../classified-once.js';
import type { Egress, EgressPool } from '../egress.js';
import { noteTo } from '../note.js';
import { probeTools, type ProbeTools, type SmtpProberOptions } from '../probe-tools.js';
import {
  USUAL_CONNECTIONS,
  type BulkDomain,
  type BulkProber,
  type BulkProbeRequest,
  type BulkRecipient,
} from './bulk-prober.js';
import { BulkRun } from './bulk-run.js';
import { FirstBatches } from './first-batches.js';
import { RecipientScheduler } from './recipient-scheduler.js';

/**
 * Probes many recipients over SMTP: one session serves as many as its host takes, domain after domain. Each recipient
 * is judged alone, as in `SmtpProber`.
 */
export class SmtpBulkProber implements BulkProber {
  private readonly tools: ProbeTools;

  constructor(private readonly options: SmtpProberOptions) {
    this.tools = probeTools({ ...options, classify: classifiedOnce(options.classify) });
  }

  async probe(request: BulkProbeRequest): Promise<void> {
    const { deadline, onOutcome, patienceMs, requester, trace, connections = { count: USUAL_CONNECTIONS } } = request;
    const { list = new FirstBatches() } = request;
    const { tools } = this;
    const note = noteTo(trace);
    const runs: Promise<void>[] = [];
    for (const [egress, shares] of byEgress(this.options.egress, request.domains)) {
      const scheduler = new RecipientScheduler({ tools, egress, deadline, onOutcome, note, list });
      for (const { domain, recipients } of shares) scheduler.add(domain, recipients);
      const setting = { tools, egress, deadline, patienceMs, requester, scheduler, trace, note, allowed: connections };
      runs.push(new BulkRun(setting).run());
    }
    const ends = await Promise.allSettled(runs);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }
}

interface Share {
  readonly domain: BulkDomain;
  readonly recipients: BulkRecipient[];
}

/** Gives recipients without an egress one common egress, so that they share connections. */
function byEgress(pool: EgressPool, domains: readonly BulkDomain[]): Map<Egress, readonly Share[]> {
  const chosen = new Map<string | null, Egress>();
  const shares = new Map<Egress, Map<BulkDomain, Share>>();
  for (const domain of domains) {
    for (const recipient of domain.recipients) {
      const id = recipient.egress ?? null;
      const egress = chosen.get(id) ?? pool.choose(id);
      chosen.set(id, egress);
      const ofEgress = shares.get(egress) ?? new Map<BulkDomain, Share>();
      shares.set(egress, ofEgress);
      const share = ofEgress.get(domain) ?? { domain, recipients: [] };
      ofEgress.set(domain, share);
      share.recipients.push(recipient);
    }
  }
  return new Map([...shares].map(([egress, ofEgress]) => [egress, [...ofEgress.values()]]));
}
