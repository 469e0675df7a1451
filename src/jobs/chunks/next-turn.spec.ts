import { nextTurn, type RunResult } from './next-turn.js';

const run = (over: Partial<RunResult>): RunResult => ({
  settled: 0,
  busy: 0,
  freeInMs: null,
  backedOff: 0,
  failed: 0,
  left: over.left ?? (over.busy ?? 0) + (over.backedOff ?? 0) + (over.failed ?? 0),
  stopped: false,
  ...over,
});

describe('a chunk', () => {
  it('is done when no entry is open', () => {
    expect(nextTurn(run({ settled: 10, left: 0 }), 2, 0)).toEqual({ kind: 'done' });
    expect(nextTurn(run({ left: 0, stopped: true }), 0, 0)).toEqual({ kind: 'done' });
  });

  it('is left to other processes at once when the process stops', () => {
    const result = run({ failed: 5, stopped: true });
    expect(nextTurn(result, 3, 0)).toEqual({ kind: 'again', why: 'stopped', afterMs: 0, failures: 3 });
  });

  it('runs again after some seconds if our own limits were full, and is never given up for that', () => {
    expect(nextTurn(run({ busy: 50, failed: 1 }), 4, 0)).toMatchObject({ why: 'busy', afterMs: 5000, failures: 4 });
    expect(nextTurn(run({ busy: 50 }), 4, 1)).toMatchObject({ why: 'busy', afterMs: 10_000 });
    expect(nextTurn(run({ busy: 50, settled: 1 }), 4, 0)).toMatchObject({ failures: 0 });
  });

  it('runs again when our limits allow more, if it knows when, within one and ten seconds', () => {
    const afterMs = (freeInMs: number) => nextTurn(run({ busy: 50, freeInMs }), 0, 0.5);
    expect([200, 3500, 40_000].map(afterMs)).toMatchObject([
      { why: 'busy', afterMs: 1000 },
      { why: 'busy', afterMs: 3500 },
      { why: 'busy', afterMs: 10_000 },
    ]);
  });

  it('runs again after a minute if all of its mail hosts are backed off, and is never given up for that', () => {
    const alone = run({ backedOff: 20 });
    expect(nextTurn(alone, 4, 0)).toMatchObject({ why: 'left_alone', afterMs: 60_000, failures: 4 });
    expect(nextTurn(alone, 4, 1)).toMatchObject({ why: 'left_alone', afterMs: 70_000 });
  });

  it('is retried with growing delays while our own failures prevent progress, and is given up in the end', () => {
    const waits: number[] = [];
    let failures = 0;
    for (;;) {
      const next = nextTurn(run({ failed: 9 }), failures, 0);
      if (next.kind !== 'again') {
        expect(next).toEqual({ kind: 'given_up' });
        break;
      }
      waits.push(next.afterMs);
      ({ failures } = next);
    }
    expect(waits).toEqual([2000, 10_000, 30_000, 60_000]);
  });

  it('has all its tries again after progress', () => {
    expect(nextTurn(run({ failed: 9, settled: 1 }), 4, 0)).toEqual({
      kind: 'again',
      why: 'failed',
      afterMs: 2000,
      failures: 0,
    });
  });

  it('continues at its next turn after it yielded to others', () => {
    expect(nextTurn(run({ settled: 100, left: 400 }), 0, 0)).toMatchObject({ why: 'long', afterMs: 0, failures: 0 });
  });
});
