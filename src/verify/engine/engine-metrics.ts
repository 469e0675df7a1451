import { Counter, type Registry } from 'prom-client';
import type { DnsResolverOptions } from '../../engine/dns/dns-resolver.js';
import { TYPE_NUMBER } from '../../engine/dns/record-types.js';
import type { DnsFailure } from '../../engine/dns/resolver.js';
import type { BulkProber } from '../../engine/smtp/bulk/bulk-prober.js';
import type { Prober, ProbeOutcome } from '../../engine/smtp/prober.js';
import type { EgressState } from '../../platform/egress/egress-state.js';
import { showFigures } from '../../platform/metrics/show-gauge.js';
import { startAtZero } from '../../platform/metrics/start-at-zero.js';

/** The metrics of an engine. */
export interface EngineCounters {
  readonly onDnsAnswer: NonNullable<DnsResolverOptions['onAnswer']>;
  prober(inner: Prober): Prober;
  bulkProber(inner: BulkProber): BulkProber;
}

/** Failures of the resolver itself. */
const NO_ANSWER = ['timeout', 'network'] as const satisfies readonly DnsFailure[];

/** Counts an engine's requests to DNS and mail hosts. Answers from a cache do not count. */
export function countEngine(registry: Registry): EngineCounters {
  const registers = [registry];
  const queries = new Counter({
    name: 'mailvet_dns_queries_total',
    help: 'Questions to the resolver by type of record and outcome; answers from the cache are not among them',
    labelNames: ['type', 'outcome'],
    registers,
  });
  startAtZero(queries, { type: Object.keys(TYPE_NUMBER), outcome: NO_ANSWER });
  const probes = new Counter({
    name: 'mailvet_probes_total',
    help: 'Recipients that mail hosts were asked about, by the furthest stage of SMTP and how it ended there',
    labelNames: ['stage', 'ending'],
    registers,
  });
  const count = (outcome: ProbeOutcome): void => {
    if (outcome.kind === 'facts') probes.inc({ stage: outcome.facts.stage, ending: outcome.facts.ending });
    else probes.inc({ stage: 'none', ending: outcome.busy === true ? 'busy' : 'unavailable' });
  };
  return {
    onDnsAnswer: (type, outcome) => queries.inc({ type, outcome }),
    prober: (inner) => ({
      probe: async (request) => {
        const outcome = await inner.probe(request);
        count(outcome);
        return outcome;
      },
    }),
    bulkProber: (inner) => ({
      probe: (request) =>
        inner.probe({
          ...request,
          onOutcome: (index, outcome) => {
            count(outcome);
            request.onOutcome(index, outcome);
          },
        }),
    }),
  };
}

/** Gauges of the ways out. Unknown states have no value. */
export function showEgress(registry: Registry, states: () => readonly EgressState[]): void {
  const labelNames = ['helo_name'] as const;
  const port = {
    name: 'mailvet_egress_port_open',
    help: 'Whether mail hosts can be reached by a way out: 1 yes, 0 no',
    labelNames,
  };
  showFigures(registry, port, () =>
    states().flatMap(({ heloName, port: verdict }) =>
      verdict === 'unknown' ? [] : [[{ helo_name: heloName }, Number(verdict === 'open')]],
    ),
  );
  const failing = {
    name: 'mailvet_egress_failing',
    help: 'Whether a way out fails by its own fault, time after time: 1 yes, 0 no',
    labelNames,
  };
  showFigures(registry, failing, () => states().map((state) => [{ helo_name: state.heloName }, Number(state.failing)]));
}
