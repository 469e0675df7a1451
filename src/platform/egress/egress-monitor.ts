import { Deadline } from '../../engine/deadline.js';
import type { Resolver } from '../../engine/dns/resolver.js';
import { checkNames, NAMES_UNKNOWN, type NameFindings } from './check-names.js';
import { checkPort, type References } from './check-port.js';
import { egressWarnings, type EgressState } from './egress-state.js';
import type { WatchedEgress } from './watched-egress.js';

export interface EgressMonitorOptions {
  readonly egresses: readonly WatchedEgress[];
  readonly resolver: Resolver;
  readonly references: References;
}

export interface WarningChange {
  readonly raised: readonly string[];
  readonly settled: readonly string[];
}

/** Early enough to matter, late enough for a process that only starts and stops. */
const FIRST_CHECK_MS = 1000;
const CHECK_EVERY_MS = 600_000;
/** Interval while a port looks closed, and shortest interval between checks on suspicion. */
const CHECK_CLOSED_EVERY_MS = 60_000;
const CHECK_DEADLINE_MS = 30_000;

/**
 * Monitors the egresses: names and reverse DNS by look-ups; the port by the results of probes, and by asking well-known
 * mail hosts when no probe has connected lately or several networks in a row were silent. Never ends a process.
 */
export class EgressMonitor {
  private readonly names = new Map<string, NameFindings>();
  private onChange: ((change: WarningChange) => void) | null = null;
  private said: readonly string[] = [];
  private timer: NodeJS.Timeout | undefined;
  private running: Deadline | null = null;
  private checkedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: EgressMonitorOptions) {}

  /** Also for metrics. */
  get states(): readonly EgressState[] {
    return this.options.egresses.map(({ id, heloName, record }) => ({
      id,
      heloName,
      ...(this.names.get(id) ?? NAMES_UNKNOWN),
      port: record.port,
      failing: record.failing,
    }));
  }

  get warnings(): readonly string[] {
    return egressWarnings(this.states);
  }

  /** True when a failed connection may say nothing about the mail host, whatever the egress. */
  get isAnyPortClosed(): boolean {
    return this.options.egresses.some(({ record }) => record.port === 'closed');
  }

  /** True when a failed connection through this egress says nothing about the mail host. */
  isPortClosed(egressId: string): boolean {
    return this.options.egresses.find(({ id }) => id === egressId)?.record.port === 'closed';
  }

  /** @param onChange called once when a warning appears, and once when it ends */
  start(onChange: (change: WarningChange) => void): void {
    this.onChange = onChange;
    for (const { record } of this.options.egresses) record.onTrouble = () => this.onTrouble();
    this.checkIn(FIRST_CHECK_MS);
  }

  stop(): void {
    this.onChange = null;
    clearTimeout(this.timer);
    this.running?.cancel();
  }

  /** Checks every egress once. */
  async check(): Promise<void> {
    if (this.running !== null) return;
    const deadline = Deadline.after(CHECK_DEADLINE_MS);
    this.running = deadline;
    try {
      await Promise.all(this.options.egresses.map((egress) => this.checkOne(egress, deadline)));
    } finally {
      deadline.release();
      this.running = null;
      this.checkedAt = performance.now();
    }
    this.tell();
  }

  private async checkOne(egress: WatchedEgress, deadline: Deadline): Promise<void> {
    const { resolver, references } = this.options;
    const { record, heloName } = egress;
    if (record.port !== 'open' || record.suspicious) await checkPort(egress, references, deadline);
    this.names.set(egress.id, await checkNames(resolver, heloName, record.sources, deadline));
  }

  private onTrouble(): void {
    this.tell();
    this.checkIn(Math.max(0, this.checkedAt + CHECK_CLOSED_EVERY_MS - performance.now()));
  }

  private checkIn(ms: number): void {
    if (this.onChange === null) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.checkAndGoOn(), ms).unref();
  }

  private async checkAndGoOn(): Promise<void> {
    try {
      await this.check();
    } catch (error) {
      this.onChange?.({ raised: [`the self-check could not be made: ${(error as Error).message}`], settled: [] });
    }
    this.checkIn(this.isAnyPortClosed ? CHECK_CLOSED_EVERY_MS : CHECK_EVERY_MS);
  }

  private tell(): void {
    const { warnings, said } = this;
    const raised = warnings.filter((warning) => !said.includes(warning));
    const settled = said.filter((warning) => !warnings.includes(warning));
    this.said = warnings;
    if (raised.length + settled.length > 0) this.onChange?.({ raised, settled });
  }
}
