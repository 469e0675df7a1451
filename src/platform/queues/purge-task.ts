import { MaintenanceTask } from './maintenance-task.js';

/** Most rows of a statement, which holds its locks for some milliseconds. */
const ROWS = 500;
/** The other tasks of the queue wait for this one. */
const MAX_RUN_MS = 10_000;

/**
 * Deletes up to `limit` old rows.
 * @param goesOn to be asked before each transaction if there are several
 * @returns how many rows it deleted; `limit`: there may be more
 */
export type Purge = (limit: number, goesOn: () => boolean) => Promise<number>;

/** Deletes old rows by small statements, until none is left, the process stops or the time is up. The next run continues. */
export class PurgeTask extends MaintenanceTask {
  /** @param purges one for each kind of row */
  constructor(
    readonly name: string,
    readonly everyMs: number,
    private readonly purges: readonly Purge[],
  ) {
    super();
  }

  override async run(signal: AbortSignal): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    const goesOn = (): boolean => !signal.aborted && performance.now() < until;
    for (const purge of this.purges) while (goesOn() && (await purge(ROWS, goesOn)) >= ROWS);
  }
}
