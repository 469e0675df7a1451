import { getEventListeners } from 'node:events';
import { Deadline } from '../../engine/deadline.js';
import type { JoinOutcome, CheckDepth } from './join-outcome.js';
import { Waiters } from './waiters.js';

describe('Waiters', () => {
  const deadlines: Deadline[] = [];
  let emptied = 0;
  const build = (): Waiters => {
    emptied = 0;
    return new Waiters(() => (emptied += 1));
  };
  const add = (waiters: Waiters, depth: CheckDepth) => {
    const deadline = Deadline.after(10_000);
    deadlines.push(deadline);
    return { deadline, flight: waiters.add(depth, deadline) };
  };
  const lead: JoinOutcome = {
    kind: 'leader',
    recheck: false,
    reach: () => undefined,
    complete: () => Promise.resolve(),
  };
  afterEach(() => {
    for (const deadline of deadlines.splice(0)) deadline.release();
  });

  it('let the deepest waiter lead first, by order of arrival', async () => {
    const waiters = build();
    const added = [add(waiters, 'standard'), add(waiters, 'enhanced'), add(waiters, 'enhanced')];
    const order: number[] = [];
    added.forEach(({ flight }, index) => void flight.then(() => order.push(index)));
    for (let first = waiters.first(); first !== undefined; first = waiters.first()) first.end(lead);
    await Promise.all(added.map(({ flight }) => flight));
    expect(order).toEqual([1, 2, 0]);
  });

  it('are served by a completion that is deep enough, and by no other', async () => {
    const waiters = build();
    const [shallow, deep] = [add(waiters, 'standard'), add(waiters, 'enhanced')];
    waiters.completed('standard');
    expect(await shallow.flight).toEqual({ kind: 'completed' });
    expect(waiters.size).toBe(1);
    waiters.completed('enhanced');
    expect(await deep.flight).toEqual({ kind: 'completed' });
    expect(waiters.size).toBe(0);
  });

  it('leave when their deadline passes, and the last one reports it', async () => {
    const waiters = build();
    const [one, other] = [add(waiters, 'standard'), add(waiters, 'standard')];
    one.deadline.cancel();
    expect(await one.flight).toEqual({ kind: 'timed_out' });
    expect(emptied).toBe(0);
    other.deadline.cancel();
    expect(await other.flight).toEqual({ kind: 'timed_out' });
    expect([emptied, waiters.size]).toEqual([1, 0]);
  });

  it('leave no listener at a deadline that is still to come', () => {
    const waiters = build();
    const added = [add(waiters, 'standard'), add(waiters, 'enhanced'), add(waiters, 'standard')];
    waiters.first()?.end(lead);
    waiters.completed('standard');
    waiters.giveUp();
    for (const { deadline } of added) expect(getEventListeners(deadline.signal, 'abort')).toEqual([]);
  });
});
