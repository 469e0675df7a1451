import { Logger } from '@nestjs/common';
import { checked, lost, probeService, SETTLED, TIMED_OUT, TURN } from '../../../test/factories/probe-service.js';
import type { CheckOutcome } from '../../engine/check.js';
import type { CheckOptions } from '../../engine/engine.js';
import type { ProbeAttempt } from './probe-attempts.repository.js';
import { ProbeSlots } from './probe-slots.js';

Logger.overrideLogger(false);

describe('if all permits are taken', () => {
  const full = async (): Promise<{ line: ProbeSlots; leave: () => void }> => {
    const line = new ProbeSlots({ worker: { concurrency: 1 } });
    const other = line.open();
    await other.ask();
    return { line, leave: () => other.release() };
  };

  it('a turn that cannot start soon releases the address, and probes when it gets a permit', async () => {
    const { line, leave } = await full();
    const { run, log, firstCompletion } = probeService({ line });
    const running = run();
    await firstCompletion;
    expect(log).toMatchObject({ takenBack: 1, completed: [false], checks: [], postponed: [] });
    leave();
    expect(await running).toEqual({ kind: 'over' });
    expect(log).toMatchObject({ takenBack: 1, completed: [false, true] });
    expect(log.checks).toHaveLength(1);
  });

  it('a turn does not probe if another process has settled the address meanwhile', async () => {
    const { line, leave } = await full();
    const { run, log, firstCompletion } = probeService({ line, rows: [TURN, null] });
    const running = run();
    await firstCompletion;
    leave();
    expect(await running).toEqual({ kind: 'over' });
    expect(log.checks).toEqual([]);
  });

  it('no turn starts when the process stops: other processes take them at once', async () => {
    const { line } = await full();
    const [ready, waiting] = [probeService({ line }), probeService({ line })];
    const running = [ready.run(), waiting.run()];
    line.onModuleDestroy();
    expect(await Promise.all(running)).toEqual([
      { kind: 'again', afterMs: 0 },
      { kind: 'again', afterMs: 0 },
    ]);
    expect(ready.log).toMatchObject({ checks: [], takenBack: 1, completed: [false] });
    expect(waiting.log).toMatchObject({ checks: [], takenBack: 0, completed: [] });
  });

  it('a permit is free again while the result is recorded', async () => {
    const line = new ProbeSlots({ worker: { concurrency: 1 } });
    const { run } = probeService({ line, recordFails: [lost()] });
    const other = line.open();
    const running = run();
    expect(await other.ask()).toBe(true);
    other.release();
    expect(await running).toEqual({ kind: 'over' });
  });
});

describe('a slow mail host', () => {
  /** A check that ends when the test says so, or when it is cancelled. */
  const waiting = () => {
    let answer = (): void => undefined;
    const outcome = ({ deadline }: CheckOptions): Promise<CheckOutcome> =>
      new Promise((resolve) => {
        answer = () => resolve(checked(SETTLED));
        deadline.signal.addEventListener('abort', () => resolve(checked(TIMED_OUT)));
      });
    return { outcome, answer: () => answer() };
  };
  const line = () => new ProbeSlots({ worker: { concurrency: 1 } });
  const of = (accountId: string): ProbeAttempt => ({ ...TURN, accountId });

  it('yields its permit after a while, and is still judged', async () => {
    const [slow, shared] = [waiting(), line()];
    const turn = probeService({ line: shared, outcome: slow.outcome, slowAfterMs: 1 });
    const running = turn.run();
    // There is one permit to ask.
    expect(await probeService({ line: shared }).run()).toEqual({ kind: 'over' });
    slow.answer();
    expect(await running).toEqual({ kind: 'over' });
    expect(turn.log.records).toHaveLength(1);
  });

  it('is retried later if other slow hosts hold the permits', async () => {
    const [first, second, shared] = [waiting(), waiting(), line()];
    const [one, same, other] = [first, waiting(), second].map(({ outcome }, i) =>
      probeService({ line: shared, outcome, slowAfterMs: 1, rows: [of(i === 2 ? 'b' : 'a')] }),
    );
    const running = one!.run();
    expect(await same!.run()).toEqual({ kind: 'again', afterMs: 2000 });
    expect(same!.log).toMatchObject({ postponed: [{ afterMs: 2000, failed: false }], records: [], completed: [false] });
    // With one permit for two accounts neither holds more than the other: the first keeps it.
    expect(await other!.run()).toEqual({ kind: 'again', afterMs: 2000 });
    first.answer();
    expect(await running).toEqual({ kind: 'over' });
  });

  /** Thirty times: a timer of a millisecond may end a little before that has passed. */
  it('is known as slow the next time, and takes no regular permit', async () => {
    for (let round = 0; round < 30; round += 1) {
      const [slow, shared] = [waiting(), line()];
      const turn = probeService({ line: shared, outcome: slow.outcome, slowAfterMs: 1 });
      const first = turn.run();
      expect(await probeService({ line: shared }).run()).toEqual({ kind: 'over' });
      expect(await turn.run()).toEqual({ kind: 'again', afterMs: 2000 });
      expect(turn.log.checks).toHaveLength(1);
      slow.answer();
      await first;
      const [blocking, again] = [shared.open(), turn.run()];
      expect(await blocking.ask()).toBe(true);
      for (let turns = 0; turns < 1000 && turn.log.checks.length < 2; turns += 1) await new Promise(setImmediate);
      expect(turn.log.checks).toHaveLength(2);
      slow.answer();
      expect(await again).toEqual({ kind: 'over' });
    }
  });
});
