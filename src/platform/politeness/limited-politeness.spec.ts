import type { PolitenessAnswer, SessionsOutcome } from '../../engine/smtp/politeness.js';
import { build, LIMITS, release, request, useTimersOfPoliteness } from '../../../test/factories/limited-politeness.js';
import type { ThrottleStore } from './throttle-store.js';
import { LimitedPoliteness } from './limited-politeness.js';
import { LocalThrottleStore } from './local-throttle-store.js';

useTimersOfPoliteness();

describe('LimitedPoliteness', () => {
  it('grants at once while a connection is free, and the next as soon as one is released', async () => {
    const { politeness } = build();
    const [first, second] = await Promise.all([politeness.acquire(request()), politeness.acquire(request())]);
    let third: PolitenessAnswer | null = null;
    void politeness.acquire(request()).then((answer) => (third = answer));
    await jest.advanceTimersByTimeAsync(1000);
    expect(third).toBeNull();
    expect(politeness.state).toEqual({ held: 2, waiting: 1 });
    release(first);
    await jest.advanceTimersByTimeAsync(0);
    expect(third).toMatchObject({ kind: 'granted' });
    release(second);
    release(third!);
    expect(politeness.state).toEqual({ held: 0, waiting: 0 });
  });

  it('serves waiting requests in order, never too many at once', async () => {
    const { politeness } = build({ maxConnections: 3, recipientsPerMinute: 60_000 });
    const order: number[] = [];
    let open = 0;
    let most = 0;
    const visits = Array.from({ length: 60 }, async (_, index) => {
      const answer = await politeness.acquire(request(60_000));
      order.push(index);
      open += 1;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, 10));
      open -= 1;
      release(answer);
    });
    await jest.advanceTimersByTimeAsync(5000);
    await Promise.all(visits);
    expect(most).toBe(3);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('lets requesters take turns, however many requests each has waiting', async () => {
    const { politeness } = build({ maxConnections: 1, recipientsPerMinute: 60_000 });
    const order: string[] = [];
    const visit = async (requester: string): Promise<void> => {
      const answer = await politeness.acquire(request(60_000, { requester }));
      order.push(requester);
      await new Promise((resolve) => setTimeout(resolve, 10));
      release(answer);
    };
    const visits = [...Array.from({ length: 20 }, () => visit('many')), visit('few'), visit('few'), visit('one')];
    await jest.advanceTimersByTimeAsync(5000);
    await Promise.all(visits);
    expect(order.slice(0, 6)).toEqual(['many', 'many', 'few', 'one', 'many', 'few']);
    expect(order).toHaveLength(23);
  });

  it('admits a requester with few waiting requests to a full queue: the last request of the one with most is dropped', async () => {
    const { politeness } = build({ ...LIMITS, maxConnections: 1 });
    const held = await politeness.acquire(request());
    const ended: string[] = [];
    const wait = (name: string): void => {
      const ask = politeness.acquire(request(9000, { requester: name.split(' ')[0] }));
      void ask.then(({ kind }) => ended.push(`${name}: ${kind}`));
    };
    for (let i = 1; i <= 1000; i += 1) wait(`many ${i}`);
    await jest.advanceTimersByTimeAsync(0);
    wait('many 1001');
    await jest.advanceTimersByTimeAsync(0);
    wait('few 1');
    await jest.advanceTimersByTimeAsync(0);
    expect(ended).toEqual(['many 1001: full', 'many 1000: full']);
    await jest.advanceTimersByTimeAsync(9000);
    expect(ended).toHaveLength(1002);
    release(held);
  });

  it('is full at the deadline', async () => {
    const { politeness } = build();
    const held = await Promise.all([politeness.acquire(request()), politeness.acquire(request())]);
    let answer: PolitenessAnswer | null = null;
    void politeness.acquire(request(3000)).then((given) => (answer = given));
    await jest.advanceTimersByTimeAsync(2990);
    expect(answer).toBeNull();
    await jest.advanceTimersByTimeAsync(10);
    expect(answer).toEqual({ kind: 'full' });
    for (const given of held) release(given);
  });

  it('is full when the patience is over, while a longer waiter holds a lease for its whole check', async () => {
    const leases: (number | null)[] = [];
    const inner = new LocalThrottleStore();
    const store: ThrottleStore = {
      acquire: (given) => {
        leases.push(given.leaseMs);
        return inner.acquire(given);
      },
    };
    const politeness = new LimitedPoliteness(store, { limits: { ...LIMITS, maxConnections: 1 }, random: () => 0.5 });
    const held = await politeness.acquire(request(10_000, { patienceMs: 100 }));
    let impatient: PolitenessAnswer | null = null;
    void politeness.acquire(request(10_000, { patienceMs: 300 })).then((answer) => (impatient = answer));
    const patient = politeness.acquire(request());
    await jest.advanceTimersByTimeAsync(299);
    expect(impatient).toBeNull();
    await jest.advanceTimersByTimeAsync(1);
    expect(impatient).toEqual({ kind: 'full' });
    release(held);
    await jest.advanceTimersByTimeAsync(0);
    release(await patient);
    expect(leases[0]).toBe(15_000);
  });

  it('without patience takes a free connection at once, and never waits', async () => {
    const { politeness } = build({ ...LIMITS, maxConnections: 1 });
    const held = await politeness.acquire(request(10_000, { patienceMs: 0 }));
    expect(await politeness.acquire(request(10_000, { patienceMs: 0 }))).toEqual({ kind: 'full' });
    expect(politeness.state).toEqual({ held: 1, waiting: 0 });
    release(held);
    release(await politeness.acquire(request(10_000, { patienceMs: 0 })));
  });

  it('grants recipients on an open connection ahead of requests that wait for a connection', async () => {
    const { politeness } = build({ ...LIMITS, maxConnections: 1 });
    const held = await politeness.acquire(request());
    const waiting = politeness.acquire(request());
    const further = await politeness.acquire(request(10_000, { connected: true }));
    expect(politeness.state).toEqual({ held: 2, waiting: 1 });
    release(further);
    await jest.advanceTimersByTimeAsync(1000);
    expect(politeness.state).toEqual({ held: 1, waiting: 1 });
    release(held);
    release(await waiting);
  });

  it('polls the store seldom while it waits for other processes', async () => {
    const { politeness, store } = build({ ...LIMITS, maxConnections: 1 });
    const held = await politeness.acquire(request());
    const waiting = Array.from({ length: 50 }, () => politeness.acquire(request(8000)));
    await jest.advanceTimersByTimeAsync(8000);
    await Promise.all(waiting);
    // One request per arrival, plus the polls of a single waiter.
    expect(store.asked).toBeLessThan(51 + 50 + 30);
    release(held);
  });

  it('continues with the others when the first waiter gives up', async () => {
    const { politeness } = build({ ...LIMITS, maxConnections: 1 });
    const held = await politeness.acquire(request());
    const impatient = politeness.acquire(request(1000));
    const patient = politeness.acquire(request(9000));
    await jest.advanceTimersByTimeAsync(1000);
    expect(await impatient).toEqual({ kind: 'full' });
    release(held);
    await jest.advanceTimersByTimeAsync(0);
    release(await patient);
  });

  it('serves a request that comes at the moment the queue empties', async () => {
    const { politeness } = build({ ...LIMITS, maxConnections: 1 });
    const held = await politeness.acquire(request());
    const last = request(1000);
    const gone = politeness.acquire(last);
    await jest.advanceTimersByTimeAsync(10);
    last.deadline.cancel();
    const next = politeness.acquire(request(9000));
    expect(await gone).toEqual({ kind: 'full' });
    release(held);
    await jest.advanceTimersByTimeAsync(0);
    release(await next);
    expect(politeness.state).toEqual({ held: 0, waiting: 0 });
  });

  it('releases a connection that was granted after the deadline', async () => {
    let answerLate: () => void = () => undefined;
    const outcomes: SessionsOutcome[] = [];
    const slow: ThrottleStore = {
      acquire: () =>
        new Promise((resolve) => {
          const recordRelease = (outcome: SessionsOutcome) => Promise.resolve(void outcomes.push(outcome));
          answerLate = () => resolve({ kind: 'granted', release: recordRelease });
        }),
    };
    const politeness = new LimitedPoliteness(slow, { limits: LIMITS });
    const answer = politeness.acquire(request(1000));
    await jest.advanceTimersByTimeAsync(1000);
    answerLate();
    expect(await answer).toEqual({ kind: 'full' });
    expect(outcomes).toEqual([{ kind: 'no_answer', retryAfterSeconds: null }]);
  });

  it('releases a connection once, however often it is called', async () => {
    const { politeness } = build({ ...LIMITS, maxConnections: 1 });
    const first = await politeness.acquire(request());
    release(first);
    const second = await politeness.acquire(request());
    release(first);
    expect(politeness.state.held).toBe(1);
    release(second);
  });

  it('backs off from hosts that refuse us', async () => {
    const { politeness } = build();
    release(await politeness.acquire(request()), { kind: 'session_refused', retryAfterSeconds: null });
    expect(await politeness.acquire(request())).toEqual({ kind: 'backed_off' });
  });
});
