import { ConnectionFault } from '../../engine/smtp/egress.js';
import { createEgressPool, type EgressSettings, type WatchedEgressPool } from './egress-pool.js';
import { parseSmtpEgress } from './parse-smtp-egress.js';

const settings = (list: string, over: Partial<EgressSettings> = {}): EgressSettings => {
  const parsed = list === '' ? { ok: true as const, entries: [] } : parseSmtpEgress(list);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.faults));
  return {
    heloName: 'probe.example.net',
    mailFrom: null,
    entries: parsed.entries,
    allowPrivateNetworks: false,
    ...over,
  };
};
const TWO = '198.51.100.7=mx1.example.com,socks5://proxy.example.net=mx2.example.com';

describe('createEgressPool', () => {
  it('uses this machine and its name if nothing is configured', () => {
    expect(createEgressPool(settings('')).choose(null)).toMatchObject({
      id: 'direct/probe.example.net',
      heloName: 'probe.example.net',
      mailFrom: 'verify@probe.example.net',
      ipv6: false,
    });
  });

  it('gives each egress its own name and sender', () => {
    const pool = createEgressPool(settings(TWO));
    expect([pool.choose(null), pool.choose(null)]).toMatchObject([
      { heloName: 'mx1.example.com', mailFrom: 'verify@mx1.example.com' },
      { heloName: 'mx2.example.com', mailFrom: 'verify@mx2.example.com' },
    ]);
  });

  it('gives every egress the configured sender', () => {
    const pool = createEgressPool(settings(TWO, { mailFrom: 'check@example.com' }));
    expect(new Set([pool.choose(null).mailFrom, pool.choose(null).mailFrom])).toEqual(new Set(['check@example.com']));
  });

  it('chooses egresses in turn', () => {
    const pool = createEgressPool(settings(TWO));
    const ids = [1, 2, 3, 4].map(() => pool.choose(null).id);
    expect(ids[0]).not.toBe(ids[1]);
    expect([ids[2], ids[3]]).toEqual([ids[0], ids[1]]);
  });

  it('returns the egress with the given id, and any for an unknown id', () => {
    const pool = createEgressPool(settings(TWO));
    const id = 'socks5:proxy.example.net:1080/mx2.example.com';
    expect([pool.choose(id).id, pool.choose(id).id]).toEqual([id, id]);
    expect(pool.choose('direct:192.0.2.1/gone.example.com').id).toBeDefined();
  });

  it('uses IPv6 only with an IPv6 source', () => {
    const pool = createEgressPool(settings('198.51.100.7+2001:db8::7=mx1.example.com'));
    expect(pool.choose(null).ipv6).toBe(true);
  });

  it('refuses a HELO name without a dot', () => {
    expect(() => createEgressPool(settings('', { heloName: 'localhost' }))).toThrow(RangeError);
  });

  describe('with an egress that does not work', () => {
    let now = 0;
    let pool: WatchedEgressPool;
    beforeEach(() => {
      now = 0;
      pool = createEgressPool(settings(TWO, { now: () => now }));
    });
    const [direct, proxy] = ['direct:198.51.100.7/mx1.example.com', 'socks5:proxy.example.net:1080/mx2.example.com'];
    const chosen = (times: number) => Array.from({ length: times }, () => pool.choose(null).id);
    const recordOf = (id: string) => pool.egresses.find((egress) => egress.id === id)!.record;
    const breakDown = (id: string): void => {
      for (let times = 0; times < 3; times += 1)
        recordOf(id).failed('', new ConnectionFault('ours', 'proxy'), 0, false);
    };

    it('skips it for a while, then tries it with one check', () => {
      breakDown(proxy);
      expect(new Set(chosen(6))).toEqual(new Set([direct]));
      now = 10_000;
      expect(chosen(6).filter((id) => id === proxy)).toHaveLength(1);
    });

    it('chooses it again once it works', () => {
      breakDown(proxy);
      recordOf(proxy).connected('9.9.9.9', undefined);
      expect(chosen(6).filter((id) => id === proxy)).toHaveLength(3);
    });

    it('returns it for a greylist retry that needs it', () => {
      breakDown(proxy);
      expect(pool.choose(proxy).id).toBe(proxy);
    });

    it('chooses among all if none works', () => {
      breakDown(proxy);
      breakDown(direct);
      expect(new Set(chosen(4))).toEqual(new Set([proxy, direct]));
    });

    it('skips an egress that reaches no mail host while another does', () => {
      recordOf(direct).referencesFailed('9.9.9.9');
      expect(new Set(chosen(4))).toEqual(new Set([proxy]));
      recordOf(proxy).referencesFailed('9.9.9.9');
      expect(new Set(chosen(4))).toEqual(new Set([proxy, direct]));
    });
  });
});
