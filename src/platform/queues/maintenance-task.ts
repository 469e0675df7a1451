/**
 * Work that is done again and again, by one worker process at a time, such as deleting what has expired. A provider of this class,
 * in any module of a worker that serves the `maintenance` queue, is on the schedule.
 */
export abstract class MaintenanceTask {
  /** Lowercase words joined by `-`, unique: it names the task in the queue. */
  abstract readonly name: string;
  abstract readonly everyMs: number;
  /**
   * Does what there is to do, in small transactions. It may be run again before its time, and twice at once.
   * @param signal aborted when the process stops: what is left is done next time
   */
  abstract run(signal: AbortSignal): Promise<void>;
}
