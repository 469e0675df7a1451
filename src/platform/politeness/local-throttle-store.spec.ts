import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import { throttleKeys, type PermitRequest } from './throttle-store.js';
import { LocalThrottleStore } from './local-throttle-store.js';

const served: SessionsOutcome = { kind: 'served', retryAfterSeconds: null };
const refused: SessionsOutcome = { kind: 'session_refused', retryAfterSeconds: null };
const claim = (over: Partial<PermitRequest> = {}): PermitRequest => ({
  keys: throttleKeys('domain:example.net', 'direct', 'example.com'),
  recipients: 1,
  limits: { maxConnections: 2, recipientsPerMinute: 600 },
  leaseMs: 1000,
  ...over,
});

describe('LocalThrottleStore', () => {
  let now = 0;
  const ledgerOf = (maxEntries = 100) => new LocalThrottleStore({ maxEntries, now: () => now });
  beforeEach(() => {
    now = 5000;
  });

  it('grants up to the limit, and again what was given back', async () => {
    const ledger = ledgerOf();
    const first = await ledger.acquire(claim());
    expect([first.kind, (await ledger.acquire(claim())).kind]).toEqual(['granted', 'granted']);
    expect(await ledger.acquire(claim())).toEqual({ kind: 'wait', for: 'connections', waitMs: 1000 });
    if (first.kind === 'granted') await first.giveBack(served);
    expect((await ledger.acquire(claim())).kind).toBe('granted');
  });

  it('frees the connections of a holder that never gave them back', async () => {
    const ledger = ledgerOf();
    await ledger.acquire(claim());
    await ledger.acquire(claim());
    now += 1000;
    expect((await ledger.acquire(claim())).kind).toBe('granted');
  });

  it('keeps groups, egresses and domains apart', async () => {
    const ledger = ledgerOf();
    const answer = await ledger.acquire(claim());
    if (answer.kind === 'granted') await answer.giveBack(refused);
    const kinds = await Promise.all(
      [
        throttleKeys('domain:example.net', 'direct', 'example.com'),
        throttleKeys('domain:example.net', 'direct', 'example.org'),
        throttleKeys('domain:example.net', 'proxy', 'example.com'),
        throttleKeys('domain:example.edu', 'direct', 'example.com'),
      ].map(async (keys) => (await ledger.acquire(claim({ keys }))).kind),
    );
    expect(kinds).toEqual(['backed_off', 'granted', 'granted', 'granted']);
  });

  it('remembers a bounded number of groups, the latest', async () => {
    const ledger = ledgerOf(3);
    const keysOf = (index: number) => throttleKeys(`domain:d${index}.example`, 'direct', 'example.com');
    for (let index = 0; index < 10; index += 1) {
      const answer = await ledger.acquire(claim({ keys: keysOf(index) }));
      if (answer.kind === 'granted') await answer.giveBack(refused);
    }
    const kinds = await Promise.all(
      [0, 9].map(async (index) => (await ledger.acquire(claim({ keys: keysOf(index) }))).kind),
    );
    expect(kinds).toEqual(['granted', 'backed_off']);
  });
});
