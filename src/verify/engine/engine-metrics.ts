import type { Registry } from 'prom-client';
import type { DnsResolverOptions } from '../../engine/dns/dns-resolver.js';
import { TYPE_NUMBER } from '../../engine/dns/record-types.js';
import type { DnsFailure } from '../../engine/dns/resolver.js';
import type { BulkProber } from '../../engine/smtp/bulk/bulk-prober.js';
import type { Prober, ProbeOutcome } from '../../engine/smtp/prober.js';
import type { EgressState } from '../../platform/egress/egress-state.js';
import { showFigures } from '../../platform/metrics/show-gauge.js';
import { newCounter } from '../../platform/metrics/new-counter.js';

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
  const ofQueries =
    'Questions to the resolver by type of record and outcome; answers from the cache are not among them';
  const queries = newCounter(registry, 'mailvet_dns_queries_total', ofQueries, {
    type: Object.keys(TYPE_NUMBER),
    outcome: NO_ANSWER,
  });
  const ofProbes = 'Recipients that mail hosts were asked about, by the furthest stage of SMTP and how it ended there';
  const probes = newCounter(registry, 'mailvet_probes_total', ofProbes, { stage: [], ending: [] });
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
  const port = 'Whether mail hosts can be reached by a way out: 1 yes, 0 no';
  showFigures(registry, 'mailvet_egress_port_open', port, ['helo_name'], () =>
    states().flatMap(({ heloName, port: verdict }) =>
      verdict === 'unknown' ? [] : [[{ helo_name: heloName }, Number(verdict === 'open')]],
    ),
  );
  const failing = 'Whether a way out fails by its own fault, time after time: 1 yes, 0 no';
  showFigures(registry, 'mailvet_egress_failing', failing, ['helo_name'], () =>
    states().map((state) => [{ helo_name: state.heloName }, Number(state.failing)]),
  );
}
