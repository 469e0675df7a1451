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

/** Soon enough after the start to matter, late enough for a process that only starts and stops. */
const FIRST_CHECK_MS = 1000;
const CHECK_EVERY_MS = 600_000;
/** While something is wrong with a port, and between checks that suspicion calls for. */
const CHECK_CLOSED_EVERY_MS = 60_000;
const CHECK_DEADLINE_MS = 30_000;

/**
 * Watches over the ways out: names and reverse DNS by asking, the port by what probes come to, and by asking well-known mail
 * hosts where no probe has connected lately or several networks in a row were silent. Never ends a process.
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

  /** True when what a probe through this egress could not connect to says nothing of the mail host. */
  isPortClosed(egressId: string): boolean {
    return this.options.egresses.find(({ id }) => id === egressId)?.record.port === 'closed';
  }

  /** @param onChange told of each warning that comes and goes, once */
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

  /** One self-check of every egress. */
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
    const closed = this.options.egresses.some(({ record }) => record.port === 'closed');
    this.checkIn(closed ? CHECK_CLOSED_EVERY_MS : CHECK_EVERY_MS);
  }

  private tell(): void {
    const { warnings, said } = this;
    const raised = warnings.filter((warning) => !said.includes(warning));
    const settled = said.filter((warning) => !warnings.includes(warning));
    this.said = warnings;
    if (raised.length + settled.length > 0) this.onChange?.({ raised, settled });
  }
}
