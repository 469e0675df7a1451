import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:net';
import * as dns from 'dns-packet';
import type { DnsData } from './dns-data.js';
import { DnsServer } from './dns-server.js';

const data: DnsData = {
  'example.org': { MX: [[10, 'mx.example.org']], TXT: ['v=spf1 -all'], secure: true },
  'mx.example.org': { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
  'a.b.example.org': { A: ['192.0.2.2'] },
  'alias.example.org': { CNAME: 'MX.example.org' },
  'dangling.example.org': { CNAME: 'missing.example.org' },
  'loop.example.org': { CNAME: 'pool.example.org' },
  'pool.example.org': { CNAME: 'loop.example.org' },
  '*.wild.example.org': { TXT: ['any'] },
  'here.wild.example.org': { A: ['192.0.2.3'] },
  'long.example.org': { TXT: ['x'.repeat(300), ...Array.from({ length: 4 }, (_, n) => `${n}`.repeat(250))] },
  'null.example.net': { MX: [[0, '.']] },
  'servfail.example.net': { fault: { servfail: true } },
  'lame.example.net': { A: ['192.0.2.4'], fault: { refused: true, types: ['MX'] } },
  'silent.example.net': { A: ['192.0.2.5'], fault: { silent: true } },
  'flaky.example.net': { A: ['192.0.2.6'], fault: { dropFirst: 1 } },
  'recovering.example.net': { A: ['192.0.2.7'], fault: { servfailForMs: 60 } },
  'forged.example.net': { A: ['192.0.2.8'], fault: { wrongId: true, thenRight: true } },
  'garbled.example.net': { A: ['192.0.2.9'], fault: { garbage: true, thenRight: true } },
  'mistaken.example.net': { A: ['192.0.2.10'], fault: { wrongQuestion: true, thenRight: true } },
  'short.example.net': { A: ['192.0.2.11'], fault: { truncate: true } },
  'late.example.net': { A: ['192.0.2.12'], fault: { delayMs: 40 } },
  'bogus.example.net': { A: ['192.0.2.13'], fault: { bogus: true } },
};

describe('the name server of the laboratory', () => {
  let server: DnsServer;
  beforeEach(async () => {
    server = await DnsServer.start(data, '127.0.0.1');
  });
  afterEach(() => server.stop());

  const bytesOf = (name: string, type: string, { id = 7, flags = dns.RECURSION_DESIRED, size = 0 } = {}): Buffer => {
    const opt = { type: 'OPT', name: '.', udpPayloadSize: size, flags: 0, options: [] } as unknown as dns.Answer;
    const questions = [{ type: type as dns.RecordType, name }];
    return dns.encode({ type: 'query', id, flags, questions, additionals: size > 0 ? [opt] : [] });
  };

  /** Sends every message from one socket and waits for as many messages back as wanted. */
  async function exchange(messages: readonly Buffer[], wanted = 1): Promise<Buffer[]> {
    const socket = createSocket('udp4');
    const received: Buffer[] = [];
    await new Promise<void>((resolve) => {
      socket.on('message', (bytes) => {
        received.push(bytes);
        if (received.length === wanted) resolve();
      });
      for (const message of messages) socket.send(message, server.port, '127.0.0.1');
    });
    socket.close();
    return received;
  }

  async function ask(name: string, type: string, options = {}): Promise<dns.DecodedPacket & { rcode: string }> {
    const [bytes] = await exchange([bytesOf(name, type, options)]);
    return dns.decode(bytes as Buffer) as dns.DecodedPacket & { rcode: string };
  }

  async function askOverTcp(name: string, type: string): Promise<dns.Packet> {
    const socket = connect(server.port, '127.0.0.1');
    const question = bytesOf(name, type);
    socket.write(Buffer.concat([Buffer.from([0, question.length]), question]));
    let bytes = Buffer.alloc(0);
    while (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE(0)) {
      const [chunk] = (await once(socket, 'data')) as [Buffer];
      bytes = Buffer.concat([bytes, chunk]);
    }
    socket.destroy();
    return dns.streamDecode(bytes);
  }

  const datas = (packet: dns.Packet): unknown[] =>
    (packet.answers ?? []).map((answer) => 'data' in answer && answer.data);

  it('serves an ordinary resolver', async () => {
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${server.port}`]);
    expect(await resolver.resolveMx('example.org')).toEqual([{ priority: 10, exchange: 'mx.example.org' }]);
    expect(await resolver.resolveTxt('long.example.org')).toHaveLength(5);
    await expect(resolver.resolve4('missing.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolveMx('mx.example.org')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveMx('servfail.example.net')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });

  it('answers a question in any case and repeats it unchanged', async () => {
    const answer = await ask('ExAmPlE.oRg', 'MX');
    expect(answer.questions?.[0]?.name).toBe('ExAmPlE.oRg');
    expect(datas(answer)).toEqual([{ preference: 10, exchange: 'mx.example.org' }]);
  });

  it('distinguishes a missing name from a missing type, both with the SOA of the zone', async () => {
    const missing = await ask('missing.example.org', 'MX');
    const noType = await ask('mx.example.org', 'MX');
    const emptyInside = await ask('b.example.org', 'A');
    expect([missing.rcode, noType.rcode, emptyInside.rcode]).toEqual(['NXDOMAIN', 'NOERROR', 'NOERROR']);
    for (const answer of [missing, noType, emptyInside]) {
      expect(answer.answers).toEqual([]);
      expect(answer.authorities).toMatchObject([{ type: 'SOA', name: 'example.org' }]);
    }
  });

  it('answers the control query for the root', async () => {
    expect(await ask('.', 'SOA')).toMatchObject({ rcode: 'NOERROR', answers: [{ type: 'SOA', name: '.' }] });
  });

  it('names the root as the exchange of a null MX', async () => {
    expect(datas(await ask('null.example.net', 'MX'))).toEqual([{ preference: 0, exchange: '.' }]);
  });

  it('follows aliases, also to nowhere, and returns a loop unchanged', async () => {
    expect(datas(await ask('alias.example.org', 'A'))).toEqual(['MX.example.org', '192.0.2.1']);
    expect(await ask('dangling.example.org', 'A')).toMatchObject({ rcode: 'NXDOMAIN', answers: [{ type: 'CNAME' }] });
    const loop = await ask('loop.example.org', 'A', { size: 1232 });
    expect(loop.answers?.length).toBeGreaterThan(2);
    expect(loop.answers?.every(({ type }) => type === 'CNAME')).toBe(true);
  });

  it('lets a wildcard answer for missing names only', async () => {
    expect(datas(await ask('x.wild.example.org', 'TXT'))).toHaveLength(1);
    expect(datas(await ask('here.wild.example.org', 'TXT'))).toEqual([]);
  });

  it('truncates a large answer over UDP and sends it whole over TCP', async () => {
    const plain = await ask('long.example.org', 'TXT');
    expect([plain.flag_tc, plain.answers]).toEqual([true, []]);
    const edns = await ask('long.example.org', 'TXT', { size: 4096 });
    expect([edns.flag_tc, edns.answers?.length]).toEqual([false, 5]);
    expect((await askOverTcp('long.example.org', 'TXT')).answers).toHaveLength(5);
    expect((await ask('short.example.net', 'A')).flag_tc).toBe(true);
    expect(datas(await askOverTcp('short.example.net', 'A'))).toEqual(['192.0.2.11']);
  });

  it('sets the AD bit on secure names for those who ask for it', async () => {
    const flags = dns.RECURSION_DESIRED | dns.AUTHENTIC_DATA;
    expect((await ask('example.org', 'MX', { flags })).flag_ad).toBe(true);
    expect((await ask('example.org', 'MX')).flag_ad).toBe(false);
    expect((await ask('mx.example.org', 'A', { flags })).flag_ad).toBe(false);
  });

  it('fails as the data say, for the types they say', async () => {
    expect((await ask('servfail.example.net', 'MX')).rcode).toBe('SERVFAIL');
    expect((await ask('mx.servfail.example.net', 'A')).rcode).toBe('SERVFAIL');
    expect((await ask('lame.example.net', 'MX')).rcode).toBe('REFUSED');
    expect((await ask('lame.example.net', 'A')).rcode).toBe('NOERROR');
    expect((await ask('bogus.example.net', 'A')).rcode).toBe('SERVFAIL');
    const flags = dns.RECURSION_DESIRED | dns.CHECKING_DISABLED;
    expect((await ask('bogus.example.net', 'A', { flags })).rcode).toBe('NOERROR');
  });

  it('leaves a question unanswered and answers a later one', async () => {
    const idsOf = async (name: string): Promise<number[]> => {
      const questions = [bytesOf(name, 'A', { id: 1 }), bytesOf('mx.example.org', 'A', { id: 2 })];
      return (await exchange(questions)).map((bytes) => bytes.readUInt16BE(0));
    };
    expect(await idsOf('silent.example.net')).toEqual([2]);
    expect(await idsOf('flaky.example.net')).toEqual([2]);
    expect(await idsOf('flaky.example.net')).toEqual([1]);
    expect(await idsOf('late.example.net')).toEqual([2]);
  });

  it('recovers from SERVFAIL once the time is over', async () => {
    const began = performance.now();
    expect((await ask('recovering.example.net', 'A')).rcode).toBe('SERVFAIL');
    let rcode = 'SERVFAIL';
    while (rcode === 'SERVFAIL') ({ rcode } = await ask('recovering.example.net', 'A'));
    expect(performance.now() - began).toBeGreaterThanOrEqual(60);
    expect(rcode).toBe('NOERROR');
  });

  it('sends forgeries and garbage before the true answer', async () => {
    const [forged, truth] = await exchange([bytesOf('forged.example.net', 'A')], 2);
    expect([forged?.readUInt16BE(0), truth?.readUInt16BE(0)]).toEqual([8, 7]);
    const [garbage] = await exchange([bytesOf('garbled.example.net', 'A')], 2);
    expect(() => dns.decode(garbage as Buffer)).toThrow();
    const [mistaken] = await exchange([bytesOf('mistaken.example.net', 'A')], 2);
    expect(dns.decode(mistaken as Buffer).questions?.[0]?.name).toBe('not.mistaken.example.net');
  });

  it('counts questions, answered or not', async () => {
    await ask('Example.org', 'MX');
    await ask('example.org', 'TXT');
    await exchange([bytesOf('silent.example.net', 'A'), bytesOf('example.org', 'MX')]);
    expect(server.queryCount('example.org', 'MX')).toBe(2);
    expect(server.queryCount('example.org')).toBe(3);
    expect(server.queryCount('silent.example.net')).toBe(1);
    expect(server.totalQueries).toBe(4);
  });

  it('uses other data while it runs', async () => {
    server.replaceData({ 'missing.example.org': { A: ['192.0.2.20'] } });
    expect(datas(await ask('missing.example.org', 'A'))).toEqual(['192.0.2.20']);
    expect((await ask('example.org', 'MX')).rcode).toBe('NOERROR');
    expect((await ask('example.net', 'MX')).rcode).toBe('NXDOMAIN');
  });

  it('survives messages that are no question', async () => {
    const answer = dns.encode({ type: 'response', id: 1, questions: [{ type: 'A', name: 'example.org' }] });
    const [back] = await exchange([
      Buffer.from('nonsense'),
      Buffer.alloc(0),
      answer,
      bytesOf('example.org', 'A', { id: 3 }),
    ]);
    expect(back?.readUInt16BE(0)).toBe(3);
  });
});
