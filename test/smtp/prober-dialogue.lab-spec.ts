import { EHLO_PIPELINING, realOnly, type Behaviour } from './support/scripted-host.js';
import { HELO_NAME, ProbeBench } from './support/probe-bench.js';

const EHLO_STARTTLS = '250-mx.example.test\r\n250-STARTTLS\r\n250 PIPELINING';
const EHLO_SMTPUTF8 = '250-mx.example.test\r\n250 SMTPUTF8';
const TLS_DEMAND = '530 5.7.0 Must issue a STARTTLS command first';

describe('the SMTP dialogue', () => {
  let bench: ProbeBench;
  const start = async (...behaviours: Behaviour[]): Promise<void> => {
    bench = await ProbeBench.start(...behaviours);
  };
  const commands = (): string[] => (bench.hosts[0]?.commands ?? []).map((line) => line.split(/[ :]/, 1)[0] ?? '');
  afterEach(() => bench.stop());

  describe('greeting the host', () => {
    it('sends HELO if EHLO is refused', async () => {
      await start({ ehlo: '502 5.5.1 what?' });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      expect(commands().slice(0, 2)).toEqual(['EHLO', 'HELO']);
    });

    it('sends HELO on a fresh connection if the host hangs up on EHLO', async () => {
      await start({ ehlo: { text: null, after: 'close' } });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      expect(commands().slice(0, 2)).toEqual(['EHLO', 'HELO']);
      expect(bench.hosts[0]?.visits).toHaveLength(2);
    });

    it('reports a host that refuses both as refused at EHLO', async () => {
      await start({ ehlo: '550 5.7.1 go away', helo: '550 5.7.1 go away' });
      expect(await bench.facts('real@example.com')).toMatchObject({ stage: 'ehlo', code: 550, subject: 'us' });
    });

    it('reports the refusal of EHLO if the host hangs up on HELO', async () => {
      await start({ ehlo: '550 5.7.1 go away', helo: { text: null, after: 'close' } });
      expect(await bench.facts('real@example.com')).toMatchObject({ stage: 'ehlo', ending: 'reply', code: 550 });
    });

    it('does not send HELO to a host that defers EHLO', async () => {
      await start({ ehlo: '421 4.3.2 busy' });
      expect(await bench.facts('real@example.com')).toMatchObject({ stage: 'ehlo', code: 421 });
      expect(commands()).not.toContain('HELO');
    });

    it('sends a name with a dot that is neither the host nor the probed domain', async () => {
      const refused = new Set(['localhost', 'example.com', 'mx1.example.test']);
      await start({
        ehlo: (name) =>
          refused.has(name) || !name.includes('.') ? { text: '501 5.5.2 bad name', after: 'close' } : EHLO_PIPELINING,
      });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
    });
  });

  describe('pipelining', () => {
    it('takes two packets on a healthy host: four round trips with connection and greeting', async () => {
      await start({ ehlo: EHLO_PIPELINING, coalesce: true });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      expect(bench.hosts[0]?.visits[0]?.flights).toBe(2);
    });

    it('sends the random recipient in the same packet', async () => {
      await start({ ehlo: EHLO_PIPELINING, coalesce: true });
      expect(await bench.facts('real@example.com', { randomRecipient: true })).toMatchObject({ random: 'refused' });
      expect(bench.hosts[0]?.visits).toHaveLength(1);
      expect(bench.hosts[0]?.visits[0]?.flights).toBe(2);
    });

    it('is not used if it is not offered', async () => {
      await start({});
      await bench.facts('real@example.com', { randomRecipient: true });
      expect(bench.hosts[0]?.visits[0]?.flights).toBe(4);
    });

    it('is dropped on a fresh connection if the host hangs up on it', async () => {
      let recipients = 0;
      await start({
        ehlo: EHLO_PIPELINING,
        mail: (_, visit) => (visit.commands.length > 2 && recipients === 0 ? { text: null, after: 'close' } : '250 ok'),
        rcpt: (path) => {
          recipients += 1;
          return realOnly(path);
        },
      });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      expect(bench.hosts[0]?.visits.map((visit) => visit.flights)).toEqual([2, 3]);
    });

    it('keeps what came further if the host hangs up on the fresh connection earlier', async () => {
      await start({
        ehlo: (_name) => ((bench.hosts[0]?.visits.length ?? 0) > 1 ? { text: null, after: 'close' } : EHLO_PIPELINING),
        mail: { text: null, after: 'close' },
      });
      expect(await bench.facts('real@example.com')).toMatchObject({ stage: 'mail', ending: 'closed' });
      expect(bench.hosts[0]?.visits).toHaveLength(2);
    });

    it('does not take a 503 after a refused MAIL for the answer', async () => {
      await start({ ehlo: EHLO_PIPELINING, mail: '550 5.7.1 sender refused', rcpt: '503 5.5.1 MAIL first' });
      expect(await bench.facts('real@example.com')).toMatchObject({ stage: 'mail', code: 550 });
    });
  });

  describe('a host that has lost its state', () => {
    const amnesia = (stage: 'mail' | 'rcpt', times: number): Behaviour => {
      let left = times;
      const answer = (otherwise: string) => () => (left-- > 0 ? '503 5.5.1 Error: send HELO/EHLO first' : otherwise);
      return stage === 'mail' ? { mail: answer('250 ok') } : { rcpt: answer('250 ok') };
    };

    it.each(['mail', 'rcpt'] as const)('is tried once more on a fresh connection after a 503 at %s', async (stage) => {
      await start(amnesia(stage, 1));
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      expect(bench.hosts[0]?.visits).toHaveLength(2);
    });

    it('is not tried a third time', async () => {
      await start(amnesia('mail', 100));
      expect(await bench.facts('real@example.com')).toMatchObject({ stage: 'mail', code: 503, class: 'unattributed' });
      expect(bench.hosts[0]?.visits).toHaveLength(2);
    });

    it('uses one retry for the whole check, not one per host', async () => {
      await start(amnesia('mail', 100), amnesia('mail', 100));
      await bench.facts('real@example.com');
      expect(bench.hosts.map((host) => host.visits.length)).toEqual([2, 1]);
    });
  });

  describe('TLS', () => {
    it('is not used if the host only offers it', async () => {
      await start({ ehlo: EHLO_STARTTLS, starttls: '454 4.7.0 TLS not available' });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      expect(commands()).not.toContain('STARTTLS');
    });

    it.each(['mail', 'rcpt'] as const)('starts on the same connection if demanded at %s', async (stage) => {
      const demand: Behaviour =
        stage === 'mail'
          ? { mail: (_, visit) => (visit.tls ? '250 ok' : TLS_DEMAND) }
          : { rcpt: (path, _, visit) => (visit.tls ? realOnly(path) : TLS_DEMAND) };
      await start({ ehlo: EHLO_STARTTLS, ...demand });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      await bench.allClosed();
      expect(bench.hosts[0]?.visits).toMatchObject([{ tls: true, serverName: 'mx1.example.test' }]);
      expect(commands().filter((verb) => verb === 'EHLO')).toHaveLength(2);
      expect(commands().at(-1)).toBe('QUIT');
    });

    it('starts on a fresh connection if the host demands it and hangs up', async () => {
      await start({
        ehlo: EHLO_STARTTLS,
        mail: (_, visit) => (visit.tls ? '250 ok' : { text: TLS_DEMAND, after: 'close' }),
      });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
      expect(bench.hosts[0]?.visits.map((visit) => visit.tls)).toEqual([false, true]);
    });

    it('starts with a host that knows no newer version than 1.0', async () => {
      const tls = { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
      await start({ ehlo: EHLO_STARTTLS, tls, mail: (_, visit) => (visit.tls ? '250 ok' : TLS_DEMAND) });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
    });

    it('discards plain text that came after the 220', async () => {
      const injected = {
        text: '220 go\r\n250-evil\r\n250 SMTPUTF8\r\n250 injected\r\n',
        raw: true,
        after: 'tls',
      } as const;
      await start({
        ehlo: EHLO_STARTTLS,
        starttls: injected,
        mail: (_, visit) => (visit.tls ? '250 ok' : TLS_DEMAND),
      });
      expect(await bench.facts('ghost@example.com')).toMatchObject({ class: 'mailbox_not_found', stage: 'rcpt' });
    });

    it.each<[string, Behaviour]>([
      ['not offered', { ehlo: EHLO_PIPELINING }],
      ['put off', { starttls: '454 4.7.0 TLS not available due to local problem' }],
      ['broken', { starttls: { text: '220 go', after: 'junk' } }],
      ['cut off', { starttls: { text: '220 go', after: 'close' } }],
      ['never finished', { starttls: '220 go' }],
    ])('demanded but %s is a refusal of us', async (_, behaviour) => {
      await start({ ehlo: EHLO_STARTTLS, mail: TLS_DEMAND, ...behaviour });
      const facts = await bench.facts('real@example.com', { commandTimeoutMs: 1_000 });
      expect(facts).toMatchObject({ stage: 'mail', ending: 'reply', code: 530, subject: 'us' });
      await bench.allClosed();
    });
  });

  describe('SMTPUTF8', () => {
    it('is declared for an address that needs it', async () => {
      await start({
        ehlo: EHLO_SMTPUTF8,
        mail: (line) => (line.endsWith(' SMTPUTF8') ? '250 ok' : '550 5.6.7 needs SMTPUTF8'),
        rcpt: (path) => (path === 'réal@example.com' ? '250 ok' : '550 5.1.1 unknown'),
      });
      expect(await bench.facts('réal@example.com')).toMatchObject({ class: 'accepted' });
    });

    it('is not declared for an address that does not', async () => {
      await start({ ehlo: EHLO_SMTPUTF8 });
      await bench.facts('real@example.com');
      expect(bench.hosts[0]?.commands).toContain(`MAIL FROM:<verify@${HELO_NAME}>`);
    });

    it('is missing: such a mailbox cannot exist at this host', async () => {
      await start({ rcpt: '501 5.5.4 what is that?' });
      expect(await bench.facts('réal@example.com')).toMatchObject({
        class: 'mailbox_not_found',
        subject: 'mailbox',
        permanent: true,
        rule: 'smtputf8-not-offered',
      });
      expect(commands()).not.toContain('RCPT');
    });

    it('cannot be supported by a host that does not know EHLO', async () => {
      await start({ ehlo: '502 5.5.1 what?' });
      expect(await bench.facts('réal@example.com')).toMatchObject({ rule: 'smtputf8-not-offered' });
    });

    it.each<[string, Behaviour]>([
      ['hung up on EHLO', { ehlo: { text: null, after: 'close' } }],
      ['refused us at EHLO', { ehlo: '550 5.7.1 not from you' }],
    ])('may still be supported if the host %s and accepted HELO', async (_, behaviour) => {
      await start(behaviour);
      expect(await bench.facts('réal@example.com')).toMatchObject({ stage: 'ehlo', ending: 'closed', subject: null });
      expect(await bench.facts('real@example.com')).toMatchObject({ class: 'accepted' });
    });
  });
});
