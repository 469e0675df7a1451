import { Logger } from '@nestjs/common';
import { PeriodicTask } from './periodic-task.js';

class Counted extends PeriodicTask {
  protected readonly logger = new Logger('Test');
  protected readonly failureMessage = 'a round failed';
  begun = 0;
  fault: Error | null = null;
  /** A round goes on until it is resolved. */
  holding: Promise<void> | null = null;
  sawStop = false;

  protected override async runOnce(): Promise<void> {
    this.begun++;
    await this.holding;
    this.sawStop = this.stopped;
    if (this.fault !== null) throw this.fault;
  }
}

let rounds: Counted;
let warned: jest.SpyInstance;
const pass = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
beforeEach(() => {
  jest.useFakeTimers();
  warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
  rounds = new Counted(1000);
});
afterEach(() => {
  rounds.onModuleDestroy();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

describe('periodic runs', () => {
  it('start with the process and repeat', async () => {
    rounds.onApplicationBootstrap();
    expect([rounds.begun, rounds.lastFinishedAt]).toEqual([1, null]);
    await pass(3000);
    expect(rounds.begun).toBe(4);
    expect(rounds.lastFinishedAt).toEqual(new Date());
  });

  it('never overlap', async () => {
    let end = (): void => undefined;
    rounds.holding = new Promise((resolve) => (end = resolve));
    rounds.onApplicationBootstrap();
    await pass(5000);
    expect(rounds.begun).toBe(1);
    end();
    await pass(1000);
    expect(rounds.begun).toBe(2);
  });

  it('end when the process stops, which waits for the current run', async () => {
    let end = (): void => undefined;
    rounds.holding = new Promise((resolve) => (end = resolve));
    rounds.onApplicationBootstrap();
    rounds.onModuleDestroy();
    let over = false;
    const ended = rounds.beforeApplicationShutdown().then(() => (over = true));
    await pass(5000);
    expect(over).toBe(false);
    end();
    await ended;
    await pass(5000);
    expect([rounds.begun, rounds.sawStop]).toEqual([1, true]);
  });

  it('continue after a failed run, which is logged once a minute', async () => {
    rounds.fault = new Error('the database is away');
    rounds.onApplicationBootstrap();
    await pass(59_000);
    expect([rounds.begun, rounds.failing, rounds.lastFinishedAt]).toEqual([60, true, null]);
    expect(warned.mock.calls).toEqual([[{ err: rounds.fault }, 'a round failed']]);
    await pass(2000);
    expect(warned).toHaveBeenCalledTimes(2);
    rounds.fault = null;
    await pass(1000);
    expect(rounds.failing).toBe(false);
  });
});
