/**
 * Work that repeats, in one worker process at a time, such as deleting expired rows. A provider of this class, in any
 * module of a worker that serves the `maintenance` queue, is scheduled.
 */
export abstract class MaintenanceTask {
  /** Lowercase words joined by `-`, unique: the task's name in the queue. */
  abstract readonly name: string;
  abstract readonly everyMs: number;
  /**
   * Does the work that is due, in small transactions. May run early, and twice at once.
   * @param signal aborted when the process stops: the next run does the rest
   */
  abstract run(signal: AbortSignal): Promise<void>;
}
