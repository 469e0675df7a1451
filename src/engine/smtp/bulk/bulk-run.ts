import { BulkConnection, type BulkConnectionSetting } from './bulk-connection.js';
import type { RecipientScheduler } from './recipient-scheduler.js';

export interface BulkRunSetting extends Omit<BulkConnectionSetting, 'isHeld' | 'onProgress'> {
  readonly searches: RecipientScheduler;
  readonly maxConnections: number;
}

/** Runs the scheduler of one egress to its end, over as many connections as there is work for. */
export class BulkRun {
  private readonly lanes = new Set<BulkConnection>();
  private readonly running: Promise<void>[] = [];

  constructor(private readonly setting: BulkRunSetting) {}

  /** Rejects only for a bug in the program, after all connections are closed. */
  async run(): Promise<void> {
    const { searches } = this.setting;
    searches.begin();
    this.muster();
    const ends: PromiseSettledResult<void>[] = [];
    // Connections may start others until they end.
    while (this.running.length > 0) ends.push(...(await Promise.allSettled(this.running.splice(0))));
    searches.end();
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
  }

  /** Starts connections while there is work for more, and ends the waits that no work needs. */
  private muster(): void {
    const { searches, maxConnections } = this.setting;
    if (searches.over || searches.waiting === 0) {
      for (const lane of this.lanes) lane.stopWaiting();
      return;
    }
    const wanted = Math.min(searches.wantedConnections, maxConnections);
    while (this.lanes.size < wanted) this.start();
  }

  private start(): void {
    const lane = new BulkConnection({
      ...this.setting,
      isHeld: (group) => [...this.lanes].some((other) => other.holds(group)),
      onProgress: () => this.muster(),
    });
    this.lanes.add(lane);
    this.running.push(
      lane.run().finally(() => {
        this.lanes.delete(lane);
        this.muster();
      }),
    );
  }
}
