import type { SessionsOutcome } from '../../engine/smtp/politeness.js';
import { ledgerKeys, type Claim } from './ledger.js';
import { LocalLedger } from './local-ledger.js';

const served: SessionsOutcome = { kind: 'served', retryAfterSeconds: null };
const refused: SessionsOutcome = { kind: 'session_refused', retryAfterSeconds: null };
const claim = (over: Partial<Claim> = {}): Claim => ({
  keys: ledgerKeys('domain:example.net', 'direct', 'example.com'),
  recipients: 1,
  limits: { maxConnections: 2, recipientsPerMinute: 600 },
  leaseMs: 1000,
  ...over,
});

describe('LocalLedger', () => {
  let now = 0;
  const ledgerOf = (maxEntries = 100) => new LocalLedger({ maxEntries, now: () => now });
  beforeEach(() => {
    now = 5000;
  });

  it('grants up to the limit, and again what was given back', async () => {
    const ledger = ledgerOf();
    const first = await ledger.take(claim());
    expect([first.kind, (await ledger.take(claim())).kind]).toEqual(['granted', 'granted']);
    expect(await ledger.take(claim())).toEqual({ kind: 'wait', for: 'connections', waitMs: 1000 });
    if (first.kind === 'granted') await first.giveBack(served);
    expect((await ledger.take(claim())).kind).toBe('granted');
  });

  it('frees the connections of a holder that never gave them back', async () => {
    const ledger = ledgerOf();
    await ledger.take(claim());
    await ledger.take(claim());
    now += 1000;
    expect((await ledger.take(claim())).kind).toBe('granted');
  });

  it('keeps groups, egresses and domains apart', async () => {
    const ledger = ledgerOf();
    const answer = await ledger.take(claim());
    if (answer.kind === 'granted') await answer.giveBack(refused);
    const kinds = await Promise.all(
      [
        ledgerKeys('domain:example.net', 'direct', 'example.com'),
        ledgerKeys('domain:example.net', 'direct', 'example.org'),
        ledgerKeys('domain:example.net', 'proxy', 'example.com'),
        ledgerKeys('domain:example.edu', 'direct', 'example.com'),
      ].map(async (keys) => (await ledger.take(claim({ keys }))).kind),
    );
    expect(kinds).toEqual(['backed_off', 'granted', 'granted', 'granted']);
  });

  it('remembers a bounded number of groups, the latest', async () => {
    const ledger = ledgerOf(3);
    const keysOf = (index: number) => ledgerKeys(`domain:d${index}.example`, 'direct', 'example.com');
    for (let index = 0; index < 10; index += 1) {
      const answer = await ledger.take(claim({ keys: keysOf(index) }));
      if (answer.kind === 'granted') await answer.giveBack(refused);
    }
    const kinds = await Promise.all(
      [0, 9].map(async (index) => (await ledger.take(claim({ keys: keysOf(index) }))).kind),
    );
    expect(kinds).toEqual(['granted', 'backed_off']);
  });
});
