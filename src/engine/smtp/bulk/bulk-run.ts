import type { AllowedConnections } from './bulk-prober.js';
import { BulkConnection, type BulkConnectionSetting } from './bulk-connection.js';

export interface BulkRunSetting extends Omit<BulkConnectionSetting, 'isHeld' | 'onProgress'> {
  readonly allowed: AllowedConnections;
}

/** Runs the scheduler of one egress to its end, over as many connections as there is work for. */
export class BulkRun {
  private readonly connections = new Set<BulkConnection>();
  private readonly running: Promise<void>[] = [];

  constructor(private readonly setting: BulkRunSetting) {}

  /** Rejects only for a bug in the program, after all connections are closed. */
  async run(): Promise<void> {
    const { scheduler, allowed } = this.setting;
    scheduler.begin();
    allowed.onMore?.(() => this.adjustConnections());
    this.adjustConnections();
    const ends: PromiseSettledResult<void>[] = [];
    // Connections may start others until they end.
    while (this.running.length > 0) ends.push(...(await Promise.allSettled(this.running.splice(0))));
    scheduler.end();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** Starts connections while there is work for more, and ends the waits that no work needs. */
  private adjustConnections(): void {
    const { scheduler, allowed } = this.setting;
    if (scheduler.over || scheduler.hosts.waiting === 0) {
      for (const connection of this.connections) connection.stopWaiting();
      return;
    }
    const wanted = Math.min(scheduler.hosts.wantedConnections, allowed.count);
    while (this.connections.size < wanted) this.start();
  }

  private start(): void {
    const connection = new BulkConnection({
      ...this.setting,
      isHeld: (group) => [...this.connections].some((other) => other.holds(group)),
      onProgress: () => this.adjustConnections(),
    });
    this.connections.add(connection);
    this.running.push(
      connection.run().finally(() => {
        this.connections.delete(connection);
        this.adjustConnections();
      }),
    );
  }
}
