/** The jobs of a queue that run in this process. */
export class RunningJobs {
  private readonly running = new Set<Promise<void>>();
  private begunAndEnded = 0;

  get count(): number {
    return this.running.size;
  }

  /** Runs started plus runs ended. */
  get steps(): number {
    return this.begunAndEnded;
  }

  track(run: Promise<void>): Promise<void> {
    this.running.add(run);
    this.begunAndEnded++;
    const forget = (): void => {
      this.running.delete(run);
      this.begunAndEnded++;
    };
    run.then(forget, forget);
    return run;
  }

  /** Resolves when the jobs that run now have ended. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
