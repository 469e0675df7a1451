import { Deadline } from '../../src/engine/deadline.js';
import { ConnectionFault, type Egress, type EgressPool } from '../../src/engine/smtp/egress.js';
import type { Politeness, SessionsOutcome } from '../../src/engine/smtp/politeness.js';
import { BlackHoles } from '../lab/smtp/black-holes.js';
import { mailHost, ProbeBench } from './support/probe-bench.js';
import type { Behaviour } from './support/scripted-host.js';

describe('failover between mail hosts', () => {
  let bench: ProbeBench;
  const start = async (...behaviours: Behaviour[]): Promise<void> => {
    bench = await ProbeBench.start(...behaviours);
  };
  afterEach(() => bench.stop());

  it.each<[string, Behaviour]>([
    ['421 in the greeting', { greeting: '421 4.3.2 busy' }],
    ['450 in the greeting', { greeting: '450 4.7.1 later' }],
    ['554 in the greeting', { greeting: { text: '554 5.7.1 blocked', after: 'close' } }],
    ['a refused EHLO and HELO', { ehlo: '550 5.7.1 no', helo: '550 5.7.1 no' }],
    ['a refused sender', { mail: '550 5.7.1 sender refused' }],
    ['a sender put off', { mail: '451 4.3.0 later' }],
    ['a recipient put off', { rcpt: '451 4.7.1 greylisted' }],
    ['a 421 at RCPT', { rcpt: { text: '421 4.7.0 slow down', after: 'close' } }],
    ['a connection closed at once', { greeting: { text: null, after: 'close' } }],
    ['garbage', { greeting: 'hello there' }],
  ])('tries the next one after %s', async (_, first) => {
    await start(first, {});
    expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted', host: 'mx2.example.test' });
  });

  it.each<[string, Behaviour, string]>([
    ['an acceptance', {}, 'real@example.com'],
    ['a missing mailbox', {}, 'ghost@example.com'],
    ['a refusal at RCPT that speaks of us', { rcpt: '550 5.7.1 blocked' }, 'real@example.com'],
    ['an unattributed refusal at RCPT', { rcpt: '554 no' }, 'real@example.com'],
  ])('tries no other one after %s', async (_, first, email) => {
    await start(first, {});
    expect(await bench.facts(email)).toMatchObject({ stage: 'rcpt', host: 'mx1.example.test' });
    expect(bench.hosts[1]?.visits).toEqual([]);
  });

  it('tries the next one if a connection is refused', async () => {
    await start({});
    const hosts = [mailHost(8, '127.0.0.9', '127.0.0.8'), ...bench.mailHosts];
    expect(await bench.facts('real@example.com', { hosts })).toMatchObject({
      class: 'accepted',
      host: 'mx1.example.test',
    });
  });

  it('tries the next address of a host that does not accept us', async () => {
    await start({});
    const hosts = [mailHost(0, '127.0.0.9', bench.hosts[0]?.address ?? '')];
    expect(await bench.facts('real@example.com', { hosts })).toMatchObject({ class: 'accepted' });
  });

  it('opens one session with a host, however many addresses it has', async () => {
    await start({ greeting: '554 5.7.1 blocked' });
    const address = bench.hosts[0]?.address ?? '';
    await bench.facts('real@example.com', { hosts: [mailHost(0, address, address, address)] });
    expect(bench.hosts[0]?.visits).toHaveLength(1);
  });

  it('lets the furthest stage decide over several hosts', async () => {
    await start({ greeting: '554 5.7.1 blocked' }, { rcpt: '451 4.7.1 greylisted' }, { mail: '550 5.7.1 refused' });
    expect(await bench.facts('real@example.com')).toMatchObject({ stage: 'rcpt', code: 451, host: 'mx2.example.test' });
  });

  it("keeps one host's answer if the next cannot be reached", async () => {
    await start({ rcpt: '451 greylisted' });
    const hosts = [...bench.mailHosts, mailHost(1, '127.0.0.9')];
    expect(await bench.facts('real@example.com', { hosts })).toMatchObject({
      class: 'greylisted',
      host: 'mx1.example.test',
    });
  });

  it('reports that no host accepted us', async () => {
    await start({});
    const facts = await bench.facts('real@example.com', {
      hosts: [mailHost(0, '127.0.0.9'), mailHost(1, '127.0.0.8')],
    });
    expect(facts).toMatchObject({ stage: 'connect', ending: 'no_connection', code: null, host: 'mx1.example.test' });
  });

  it('reports each stage once over all hosts', async () => {
    await start({ mail: '451 4.3.0 later' }, { greeting: '554 5.7.1 blocked' }, {});
    const told: string[] = [];
    const direct = bench.egressPool().choose(null);
    const connect: Egress['connect'] = (...args) => {
      told.push('connecting');
      return direct.connect(...args);
    };
    await bench.facts('real@example.com', {
      egress: { choose: () => ({ ...direct, connect }) },
      hosts: [mailHost(8, '127.0.0.9', '127.0.0.8'), ...bench.mailHosts],
      onStage: (stage) => void told.push(stage),
    });
    // Nothing is known before the first address has let nobody in.
    expect(told.slice(0, 5)).toEqual(['connecting', 'connect', 'connecting', 'connecting', 'greeting']);
    expect(told.filter((stage) => stage !== 'connecting')).toEqual(['connect', 'greeting', 'ehlo', 'mail', 'rcpt']);
  });

  it('notes its steps in words', async () => {
    await start({ greeting: '554 5.7.1 blocked' }, {});
    const hosts = [mailHost(8, '127.0.0.9'), ...bench.mailHosts];
    await bench.facts('real@example.com', { hosts });
    expect(bench.notes.join('\n')).toMatch(
      /No connection to mx9.*refused[^]*Trying the next mail host[^]*Connecting to mx1/,
    );
  });

  describe('inside one deadline', () => {
    it('leaves time for a healthy host after a silent one', async () => {
      await start({ greeting: { text: null } }, {});
      const facts = await bench.facts('real@example.com', { deadlineMs: 3_000, greetingTimeoutMs: 40_000 });
      expect(facts).toMatchObject({ class: 'accepted', host: 'mx2.example.test' });
    });

    it('ends in time with 13 silent hosts', async () => {
      await start(...Array.from({ length: 13 }, (): Behaviour => ({ greeting: { text: null } })));
      const startedAt = performance.now();
      const facts = await bench.facts('real@example.com', { deadlineMs: 600 });
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      expect(facts).toMatchObject({ stage: 'greeting', ending: 'timeout', host: 'mx1.example.test' });
      await bench.allClosed();
    });

    it('ends in time with 13 hosts that drop every packet', async () => {
      await start({});
      const addresses = Array.from({ length: 13 }, (_, index) => `127.19.${process.pid % 250}.${index + 1}`);
      const holes = await BlackHoles.open(addresses, bench.port);
      try {
        const hosts = addresses.map((address, index) => mailHost(index, address));
        const startedAt = performance.now();
        const facts = await bench.facts('real@example.com', { deadlineMs: 600, hosts });
        expect(performance.now() - startedAt).toBeLessThan(20_000);
        expect(facts).toMatchObject({ stage: 'connect', ending: 'no_connection' });
      } finally {
        await holes.close();
      }
    });

    it('keeps an acceptance if the random recipient uses up the time', async () => {
      await start({ rcpt: (path) => (path.startsWith('real@') ? '250 ok' : { text: null }) });
      const facts = await bench.facts('real@example.com', { deadlineMs: 1_000, randomRecipient: true });
      expect(facts).toMatchObject({ class: 'accepted', random: 'inconclusive' });
    });

    it('concludes nothing without time for any host', async () => {
      await start({});
      const deadline = Deadline.after(0);
      deadline.cancel();
      expect(await bench.probe('real@example.com', { deadline })).toMatchObject({ kind: 'unavailable' });
      expect(bench.hosts[0]?.visits).toEqual([]);
    });

    it('keeps an acceptance if the check is cancelled right after it', async () => {
      const deadline = Deadline.after(60_000);
      await start({
        rcpt: (path) => {
          if (path.startsWith('real@')) return '250 ok';
          deadline.cancel();
          return { text: null };
        },
      });
      const facts = await bench.facts('real@example.com', { deadline, randomRecipient: true });
      expect(facts).toMatchObject({ class: 'accepted', random: 'inconclusive' });
    });

    it('gives no verdict if the check is cancelled earlier', async () => {
      const deadline = Deadline.after(60_000);
      await start({
        mail: () => {
          deadline.cancel();
          return { text: null };
        },
      });
      expect(await bench.probe('real@example.com', { deadline })).toEqual({
        kind: 'unavailable',
        why: 'the check was cancelled',
      });
      await bench.allClosed();
    });
  });

  describe('if our own side fails', () => {
    const failing = (...faults: (ConnectionFault | null)[]): EgressPool => {
      const working = bench.egressPool().choose(null);
      const egress: Egress = {
        id: 'test',
        heloName: working.heloName,
        mailFrom: working.mailFrom,
        ipv6: false,
        connect: (...args) => {
          const fault = faults.shift();
          return fault ? Promise.reject(fault) : working.connect(...args);
        },
      };
      return { choose: () => egress };
    };

    it('gives no verdict, and tries no other host through a broken proxy', async () => {
      await start({}, {});
      const egress = failing(new ConnectionFault('ours', 'proxy'));
      const onStage = jest.fn();
      expect(await bench.probe('real@example.com', { egress, onStage })).toEqual({
        kind: 'unavailable',
        why: 'our egress test failed: proxy',
      });
      expect(onStage).not.toHaveBeenCalled();
      expect(bench.hosts.flatMap((host) => host.visits)).toEqual([]);
    });

    it('still tries the next host if only a route is missing', async () => {
      await start({}, {});
      const egress = failing(new ConnectionFault('ours', 'unreachable'));
      expect(await bench.facts('real@example.com', { egress })).toMatchObject({
        class: 'accepted',
        host: 'mx2.example.test',
      });
    });

    it('gives no verdict if another host did not accept us', async () => {
      await start({}, {});
      const egress = failing(new ConnectionFault('theirs', 'refused'), new ConnectionFault('ours', 'unreachable'));
      expect(await bench.probe('real@example.com', { egress })).toMatchObject({ kind: 'unavailable' });
    });

    it("does not revoke a host's answer", async () => {
      await start({ greeting: '554 5.7.1 blocked' }, {});
      const egress = failing(null, new ConnectionFault('ours', 'proxy'));
      expect(await bench.facts('real@example.com', { egress })).toMatchObject({ stage: 'greeting', code: 554 });
    });

    it('keeps an acceptance if the session for the random recipient cannot be opened', async () => {
      await start({ rcpt: (_, nth) => (nth === 1 ? '250 ok' : { text: null, after: 'close' }) });
      const egress = failing(null, new ConnectionFault('ours', 'proxy'));
      const facts = await bench.facts('real@example.com', { egress, randomRecipient: true });
      expect(facts).toMatchObject({ class: 'accepted', random: 'inconclusive' });
    });
  });

  describe('with politeness', () => {
    const released: SessionsOutcome[] = [];
    const polite = (kind: 'granted' | 'backed_off' | 'full'): Politeness => ({
      acquire: ({ recipients }) =>
        Promise.resolve(
          kind === 'granted' ? { kind, recipients, release: (outcome) => void released.push(outcome) } : { kind },
        ),
    });
    beforeEach(() => {
      released.length = 0;
    });

    it('contacts no host that is backed off', async () => {
      await start({});
      const facts = await bench.facts('real@example.com', { politeness: polite('backed_off') });
      expect(facts).toMatchObject({ stage: 'none', ending: 'backed_off', host: 'mx1.example.test' });
      expect(bench.hosts[0]?.visits).toEqual([]);
    });

    it('gives no verdict while the limits are full', async () => {
      await start({});
      expect(await bench.probe('real@example.com', { politeness: polite('full') })).toMatchObject({
        kind: 'unavailable',
        busy: true,
      });
      expect(bench.hosts[0]?.visits).toEqual([]);
    });

    it("is busy if one host's limits were full and another did not accept us", async () => {
      await start({});
      const hosts = [...bench.mailHosts, { ...mailHost(1, '127.0.0.9'), name: 'mx.example.org' }];
      const politeness: Politeness = {
        acquire: (request) => polite(request.group === 'domain:example.org' ? 'granted' : 'full').acquire(request),
      };
      const outcome = await bench.probe('real@example.com', { hosts, politeness });
      expect(outcome).toMatchObject({ kind: 'unavailable', busy: true });
    });

    it('is not busy if something else on our side failed, too', async () => {
      await start({});
      const hosts = [...bench.mailHosts, { ...mailHost(1, '127.0.0.9'), name: 'mx.example.org' }];
      const politeness: Politeness = {
        acquire: (request) => polite(request.group === 'domain:example.org' ? 'granted' : 'full').acquire(request),
      };
      const broken: Egress = {
        ...bench.egressPool().choose(null),
        connect: () => Promise.reject(new ConnectionFault('ours', 'proxy')),
      };
      for (const order of [hosts, hosts.toReversed()]) {
        const outcome = await bench.probe('real@example.com', {
          hosts: order,
          politeness,
          egress: { choose: () => broken },
        });
        expect(outcome).toEqual({ kind: 'unavailable', why: expect.stringContaining('our egress') });
      }
    });

    it('gives a verdict if another host accepted us', async () => {
      await start({}, {});
      const hosts = bench.mailHosts.map((host, i) => ({ ...host, name: `mx.example${i}.test` }));
      const politeness: Politeness = {
        acquire: (request) => polite(request.group === 'domain:example0.test' ? 'full' : 'granted').acquire(request),
      };
      expect(await bench.facts('real@example.com', { hosts, politeness })).toMatchObject({ class: 'accepted' });
    });

    it('requests permits with the patience of the check', async () => {
      await start({});
      const asked: (number | undefined)[] = [];
      const politeness: Politeness = {
        acquire: (request) => {
          asked.push(request.patienceMs);
          return polite('full').acquire(request);
        },
      };
      await bench.probe('real@example.com', { politeness, patienceMs: 250 });
      await bench.probe('real@example.com', { politeness });
      expect(asked).toEqual([250, undefined]);
    });

    it('releases its permit with the outcome', async () => {
      await start({ greeting: '421 4.7.0 too many connections' });
      await bench.facts('real@example.com', { politeness: polite('granted') });
      expect(released).toEqual([{ kind: 'session_refused', retryAfterSeconds: null }]);
    });

    it.each<[string, Behaviour, number]>([
      ['once', {}, 1],
      ['again on a fresh connection', { rcpt: '503 5.5.1 Error: send HELO/EHLO first' }, 2],
      ['again at each mail host of the group', { rcpt: '451 4.3.0 later' }, 3],
      ['never, for all hosts refuse us before', { greeting: '554 5.7.1 no' }, 0],
    ])('reports how often a recipient was asked about under its permit: %s', async (_, behaviour, times) => {
      await start(behaviour, behaviour, behaviour);
      const reported: (number | undefined)[] = [];
      const politeness: Politeness = {
        acquire: ({ recipients }) =>
          Promise.resolve({ kind: 'granted', recipients, release: (_outcome, asked) => void reported.push(asked) }),
      };
      await bench.facts('real@example.com', { politeness });
      const lines = bench.hosts.flatMap(({ visits }) => visits.flatMap(({ commands }) => commands));
      expect(lines.filter((line) => line.startsWith('RCPT'))).toHaveLength(times);
      expect(reported).toEqual([times]);
    });

    it('releases its permit if the check ends for another reason', async () => {
      await start({});
      const broken = { politeness: polite('granted'), randomLocalPart: () => 'x\r\n' };
      await expect(bench.probe('real@example.com', { ...broken, randomRecipient: true })).rejects.toThrow(RangeError);
      expect(released).toHaveLength(1);
    });
  });
});
