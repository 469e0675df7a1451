import type { PolitenessAnswer } from '../../engine/smtp/politeness.js';
import { build, release, request, useTimersOfPoliteness } from '../../../test/factories/limited-politeness.js';

useTimersOfPoliteness();

describe('the pace of LimitedPoliteness', () => {
  it('does not wait for a rate limit that lasts beyond its patience', async () => {
    const { politeness } = build({ maxConnections: 50, recipientsPerMinute: 12 });
    const burst = await Promise.all([politeness.acquire(request()), politeness.acquire(request())]);
    expect(await politeness.acquire(request(10_000, { patienceMs: 4000 }))).toEqual({
      kind: 'full',
      pace: { recipients: 0, waitMs: 5000 },
    });
    for (const answer of burst) release(answer);
  });

  it('grants recipients on an open connection neither ahead of requests that wait for the rate limit nor later', async () => {
    const { politeness } = build({ maxConnections: 50, recipientsPerMinute: 12 });
    const held = await politeness.acquire(request(10_000, { recipients: 2 }));
    const further = politeness.acquire(request(10_000, { connected: true }));
    expect(await further).toEqual({ kind: 'full', pace: { recipients: 0, waitMs: 5000 } });
    const waiting = politeness.acquire(request());
    await jest.advanceTimersByTimeAsync(100);
    expect(await politeness.acquire(request(10_000, { connected: true }))).toEqual({ kind: 'full' });
    expect(politeness.state).toEqual({ held: 1, waiting: 1 });
    release(held);
    await jest.advanceTimersByTimeAsync(6000);
    release(await waiting);
  });

  it('says how many recipients the pace allows at once, if not all of them', async () => {
    const { politeness } = build({ maxConnections: 50, recipientsPerMinute: 60 });
    const held = await politeness.acquire(request(10_000, { recipients: 4 }));
    const further = (recipients: number) => politeness.acquire(request(10_000, { recipients, connected: true }));
    expect(await further(8)).toEqual({ kind: 'full', pace: { recipients: 6, waitMs: 2000 } });
    expect(await further(30)).toEqual({ kind: 'full', pace: { recipients: 6, waitMs: 4000 } });
    const six = await further(6);
    expect(await further(8)).toEqual({ kind: 'full', pace: { recipients: 0, waitMs: 8000 } });
    release(held);
    release(six);
  });

  it('waits as long as the rate limit demands, and not at all if that exceeds the deadline', async () => {
    const { politeness, store } = build({ maxConnections: 50, recipientsPerMinute: 12 });
    const burst = await Promise.all([politeness.acquire(request()), politeness.acquire(request())]);
    expect(await politeness.acquire(request(4000))).toEqual({ kind: 'full', pace: { recipients: 0, waitMs: 5000 } });
    let late: PolitenessAnswer | null = null;
    void politeness.acquire(request(6000)).then((answer) => (late = answer));
    await jest.advanceTimersByTimeAsync(4990);
    expect(late).toBeNull();
    await jest.advanceTimersByTimeAsync(30);
    expect(late).toMatchObject({ kind: 'granted' });
    expect(store.asked).toBe(5);
    for (const answer of [...burst, late!]) release(answer);
  });

  it('grants at most a burst', async () => {
    const { politeness } = build({ maxConnections: 2, recipientsPerMinute: 60 });
    for (const [recipients, granted] of [
      [3, 3],
      [25, 10],
    ] as const) {
      await jest.advanceTimersByTimeAsync(60_000);
      const answer = await politeness.acquire({ ...request(), recipients });
      expect(answer).toMatchObject({ kind: 'granted', recipients: granted });
      release(answer);
    }
  });

  it('makes later requests wait for recipients asked about beyond those granted, and for no others', async () => {
    const { politeness } = build({ maxConnections: 50, recipientsPerMinute: 60 });
    const full = { kind: 'full', pace: { recipients: 0, waitMs: 10_000 } };
    release(await politeness.acquire(request(10_000, { recipients: 10 })), undefined, 10);
    expect(await politeness.acquire(request(9000, { recipients: 10 }))).toEqual(full);
    await jest.advanceTimersByTimeAsync(10_000);
    release(await politeness.acquire(request(10_000, { recipients: 10 })), undefined, 3);
    await jest.advanceTimersByTimeAsync(10_000);
    release(await politeness.acquire(request(10_000, { recipients: 10 })), undefined, 12);
    expect(await politeness.acquire(request(9000, { recipients: 10 }))).toEqual({
      kind: 'full',
      pace: { recipients: 0, waitMs: 12_000 },
    });
  });
});
