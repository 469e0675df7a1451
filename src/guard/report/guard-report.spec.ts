import { totalsOf, type EventCount } from './guard-report.js';

const count = (events: number, over: Partial<EventCount> = {}): EventCount => ({
  verdict: 'valid',
  action: 'allow',
  source: 'local',
  degraded: false,
  events,
  ...over,
});

describe('totalsOf', () => {
  it('counts each field separately, and groups unknown values', () => {
    const totals = totalsOf([
      count(5),
      count(3, { verdict: 'other', action: 'deny', degraded: true }),
      count(2, { verdict: 'role', action: 'other', source: 'remote', degraded: true }),
    ]);
    expect(totals).toEqual({
      events: 10,
      verdict: { valid: 5, invalid: 0, catch_all: 0, disposable: 0, role: 2, unknown: 0, other: 3 },
      action: { allow: 5, deny: 3, review: 0, other: 2 },
      source: { local: 8, remote: 2, other: 0 },
      degraded: 5,
    });
  });

  it('has every field as 0 without events', () => {
    expect(totalsOf([])).toMatchObject({ events: 0, degraded: 0, source: { local: 0, remote: 0, other: 0 } });
  });
});
