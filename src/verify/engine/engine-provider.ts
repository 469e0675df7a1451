import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { StoredAcceptedRecipients } from '../../domains/accepted/stored-accepted-recipients.js';
import { CuratedListsProvider } from '../../domains/curated/curated-lists-provider.js';
import { SignalListsProvider } from '../../domains/lists/signal-lists-provider.js';
import type { ServerTrouble } from '../../engine/dns/name-server.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { AppSecrets } from '../../platform/config/app-secrets.js';
import type { EgressState } from '../../platform/egress/egress-state.js';
import { HealthDetails } from '../../platform/health/health-details.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { RedisPoliteness } from '../../platform/politeness/redis-politeness.js';
import { createEngine, type RunningEngine } from './create-engine.js';
import { dnsHealth, dnsWarning, showDnsTroubles } from '../dns-watch.js';
import { countEngine, showEgress } from './engine-metrics.js';

/** The process's one engine, with monitored ways out. */
@Injectable()
export class EngineProvider implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly engine: RunningEngine['engine'];
  /** For callers with many addresses. */
  readonly mailHosts: RunningEngine['mailHosts'];
  readonly bulk: RunningEngine['bulk'];
  readonly knowledge: RunningEngine['knowledge'];
  private readonly running: RunningEngine;
  private readonly asksMailHosts: boolean;

  constructor(
    config: AppConfig,
    secrets: AppSecrets,
    politeness: RedisPoliteness,
    curated: CuratedListsProvider,
    lists: SignalListsProvider,
    acceptedRecipients: StoredAcceptedRecipients,
    health: HealthDetails,
    { registry }: Metrics,
  ) {
    const onDnsTrouble = (server: string, trouble: ServerTrouble): void =>
      new Logger('Dns').warn(dnsWarning(server, trouble));
    const surroundings = {
      politeness,
      curated,
      lists,
      acceptedRecipients,
      onDnsTrouble,
      counters: countEngine(registry),
    };
    this.running = createEngine({ config, secrets }, surroundings);
    const { egress, dns } = this.running;
    ({ engine: this.engine, mailHosts: this.mailHosts, bulk: this.bulk, knowledge: this.knowledge } = this.running);
    showDnsTroubles(registry, () => dns.troubles);
    health.add('dns', () => dnsHealth(dns.troubles));
    this.asksMailHosts = config.probes.here;
    if (!this.asksMailHosts) return;
    showEgress(registry, () => egress.states);
    health.add('egress', () => ({ state: egress.states.map(shown), warnings: egress.warnings }));
  }

  /** True if no mail host can be reached through any egress. False where the worker asks mail hosts for this process. */
  get egressClosed(): boolean {
    return this.running.egress.states.every(({ port }) => port === 'closed');
  }

  /** The self-check of each egress, as this process made it. None where the worker asks mail hosts for this process. */
  get egressStates(): readonly EgressState[] {
    return this.asksMailHosts ? this.running.egress.states : [];
  }

  onApplicationBootstrap(): void {
    if (!this.asksMailHosts) return;
    const logger = new Logger('Egress');
    this.running.egress.start(({ raised, settled }) => {
      for (const warning of raised) logger.warn(warning);
      for (const warning of settled) logger.log(`no longer: ${warning}`);
    });
  }

  /** Runs after the HTTP server has closed: no check is under way. */
  onApplicationShutdown(): void {
    this.running.close();
  }
}

/** For public health output: leaves out the id, which names source addresses and proxies. */
function shown({ heloName, heloResolves, reverseMatches, port, failing }: EgressState): Record<string, unknown> {
  return { helo_name: heloName, helo_resolves: heloResolves, reverse_dns_matches: reverseMatches, port, failing };
}
