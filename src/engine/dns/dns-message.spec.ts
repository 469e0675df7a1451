import { decode, encode, type Answer, type Packet } from 'dns-packet';
import fc from 'fast-check';
import { encodeQuery, readAnswer, withId, type Question, type ReadResult } from './dns-message.js';
import { interpret } from './interpretation.js';
import type { RecordData, RecordType } from './resolver.js';

const ID = 0x1234;
const asMx = { name: 'example.com', type: 'MX' } as const;
const question: Question = { name: 'example.com', type: 'MX', checkingDisabled: false };

function response(parts: Partial<Packet> = {}, asked: Question = question): Buffer {
  const questions = [{ name: asked.name, type: asked.type }];
  return encode({ type: 'response', id: ID, flags: 0x0180, questions, ...parts });
}

function read(bytes: Buffer, asked: Question = question): ReadResult {
  return readAnswer(bytes, ID, asked);
}

function dataOf(answer: Answer, type: RecordType): RecordData | undefined {
  const asked = { ...question, type };
  const result = read(response({ answers: [answer] }, asked), asked);
  return result.kind === 'message' ? result.message.answers[0]?.data : undefined;
}

describe('encodeQuery', () => {
  it('asks for recursion, the AD bit and DNSSEC, with a UDP size of 1,232 octets', () => {
    const query = decode(withId(encodeQuery(question, true), ID));
    expect(query).toMatchObject({ id: ID, flag_rd: true, flag_ad: true, flag_cd: false, flag_qr: false });
    expect(query.questions).toEqual([{ name: 'example.com', type: 'MX', class: 'IN' }]);
    expect(query.additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232, flag_do: true, ednsVersion: 0 }]);
  });

  it('sets the CD bit if checking is disabled, and omits EDNS on request', () => {
    const query = decode(encodeQuery({ ...question, checkingDisabled: true }, false));
    expect(query.flag_cd).toBe(true);
    expect(query.additionals).toEqual([]);
  });

  it.each(['A', 'AAAA', 'MX', 'TXT', 'NS', 'SOA', 'CNAME', 'PTR', 'CAA', 'TLSA', 'DS', 'DNSKEY'] as const)(
    'asks for %s',
    (type) => {
      expect(decode(encodeQuery({ ...question, type }, true)).questions?.[0]?.type).toBe(type);
    },
  );
});

describe('readAnswer', () => {
  it('reads records of every supported type', () => {
    const name = 'example.com';
    const certificate = Buffer.from('00ff10', 'hex');
    expect(dataOf({ type: 'A', name, data: '192.0.2.1' }, 'A')).toEqual({ type: 'A', address: '192.0.2.1' });
    expect(dataOf({ type: 'AAAA', name, data: '2001:db8:0:0:1::1' }, 'AAAA')).toEqual({
      type: 'AAAA',
      address: '2001:db8::1:0:0:1',
    });
    expect(dataOf({ type: 'MX', name, data: { preference: 5, exchange: 'MX1.Example.com' } }, 'MX')).toEqual({
      type: 'MX',
      preference: 5,
      exchange: 'mx1.example.com',
    });
    expect(dataOf({ type: 'MX', name, data: { preference: 0, exchange: '.' } }, 'MX')).toMatchObject({ exchange: '.' });
    expect(dataOf({ type: 'TXT', name, data: ['v=spf1 ', Buffer.from('-all é')] }, 'TXT')).toEqual({
      type: 'TXT',
      text: 'v=spf1 -all é',
    });
    expect(dataOf({ type: 'TXT', name, data: [''] }, 'TXT')).toEqual({ type: 'TXT', text: '' });
    for (const type of ['NS', 'PTR', 'CNAME'] as const) {
      expect(dataOf({ type, name, data: 'a.example' }, type)).toEqual({ type, name: 'a.example' });
    }
    const soa = { mname: 'ns.example', rname: 'h.example', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 };
    expect(dataOf({ type: 'SOA', name, data: soa }, 'SOA')).toEqual({
      type: 'SOA',
      primary: 'ns.example',
      minimumSeconds: 5,
    });
    const caa = { issuerCritical: true, tag: 'issue', value: 'ca.example; policy=ev' } as const;
    expect(dataOf({ type: 'CAA', name, data: caa }, 'CAA')).toEqual({
      type: 'CAA',
      critical: true,
      tag: 'issue',
      value: 'ca.example; policy=ev',
    });
    const tlsa = { usage: 3, selector: 1, matchingType: 1, certificate };
    expect(dataOf({ type: 'TLSA', name, data: tlsa }, 'TLSA')).toEqual({ type: 'TLSA', ...tlsa });
    const ds = { keyTag: 1, algorithm: 13, digestType: 2, digest: certificate };
    expect(dataOf({ type: 'DS', name, data: ds }, 'DS')).toEqual({ type: 'DS' });
  });

  it('ignores records of other types and classes', () => {
    const bytes = response({
      answers: [
        { type: 'HINFO', name: 'example.com', data: { cpu: 'x', os: 'y' } },
        { type: 'MX', name: 'example.com', class: 'CH', data: { exchange: 'chaos.example' } },
        { type: 'MX', name: 'example.com', ttl: 7, data: { preference: 1, exchange: 'mx.example' } },
      ],
    });
    expect(read(bytes)).toMatchObject({ message: { answers: [{ owner: 'example.com', ttlSeconds: 7 }] } });
  });

  it('combines the response code of the header with its upper bits in OPT', () => {
    const opt = { udpPayloadSize: 1232, extendedRcode: 1, ednsVersion: 0, flags: 0, flag_do: false, options: [] };
    const bytes = response({ flags: 0x0180 | 7, additionals: [{ type: 'OPT', name: '.', ...opt }] });
    expect(read(bytes)).toMatchObject({ kind: 'message', message: { rcode: 16 + 7 } });
  });

  it('reads the AD bit', () => {
    expect(read(response({ flags: 0x01a0 }))).toMatchObject({ message: { authenticated: true } });
    expect(read(response())).toMatchObject({ message: { authenticated: false } });
  });

  it('treats a negative or absurd TTL as zero (RFC 2181 8)', () => {
    const bytes = response({
      answers: [{ type: 'MX', name: 'example.com', ttl: 0x80000000, data: { exchange: 'm.x' } }],
    });
    expect(read(bytes)).toMatchObject({ message: { answers: [{ ttlSeconds: 0 }] } });
  });

  it('compares the name of the question case-insensitively', () => {
    expect(read(response({ questions: [{ name: 'eXAMPLE.com', type: 'MX' }] })).kind).toBe('message');
  });

  it.each<[string, Buffer]>([
    ['too short for a header', Buffer.alloc(11)],
    ['another id', withId(response(), ID + 1)],
    ['a query', encode({ type: 'query', id: ID, questions: [{ name: 'example.com', type: 'MX' }] })],
    ['another operation', response({ flags: 0x0180 | (5 << 11) })],
    ['another name', response({ questions: [{ name: 'example.org', type: 'MX' }] })],
    ['another type', response({ questions: [{ name: 'example.com', type: 'A' }] })],
    ['another class', response({ questions: [{ name: 'example.com', type: 'MX', class: 'CH' }] })],
    ['no question', response({ questions: [] })],
    ['two questions', response({ questions: [asMx, asMx] })],
  ])('does not take %s for the answer', (_what, bytes) => {
    expect(read(bytes).kind).toBe('unrelated');
  });

  it('accepts a format error without a question, and no other answer without one', () => {
    expect(read(response({ flags: 0x0181, questions: [] }))).toMatchObject({ message: { rcode: 1 } });
    expect(read(response({ flags: 0x0183, questions: [] })).kind).toBe('unrelated');
  });

  it('reads nothing of a truncated message, wherever it ends', () => {
    const whole = response({
      flags: 0x0380,
      answers: [{ type: 'MX', name: 'example.com', data: { exchange: 'm.x' } }],
    });
    expect(read(whole).kind).toBe('truncated');
    expect(read(whole.subarray(0, whole.length - 5)).kind).toBe('truncated');
  });

  it.each([1, 3, 8, 20])('calls a message that ends %d octets early malformed', (missing) => {
    const whole = response({ answers: [{ type: 'TXT', name: 'example.com', data: ['x'.repeat(100)] }] }, txt);
    expect(read(whole.subarray(0, whole.length - missing), txt).kind).toBe('malformed');
  });

  it('calls a record that does not fill its stated length malformed', () => {
    const bytes = response({ answers: [{ type: 'A', name: 'example.com', data: '192.0.2.1' }] }, address);
    for (const length of [0, 3, 5]) {
      const wrong = Buffer.concat([bytes, Buffer.alloc(8)]);
      wrong.writeUInt16BE(length, bytes.length - 6);
      expect(read(wrong, address).kind).toBe('malformed');
    }
  });

  it('follows no compression pointer to itself, forward or in a loop', () => {
    const end = response().length;
    for (const pointer of [end, end + 1, end + 40]) {
      const name = Buffer.from([0xc0 | (pointer >> 8), pointer & 0xff]);
      expect(read(withOneAnswer(name)).kind).toBe('malformed');
    }
  });

  it('reads different names as different texts', () => {
    const dotted = Buffer.from([3, 0x61, 0x2e, 0x62, 7, ...Buffer.from('EXAMPLE'), 0]);
    const odd = Buffer.from([4, 0x41, 0x5c, 0x20, 0xff, 0]);
    expect(read(withOneAnswer(dotted))).toMatchObject({ message: { answers: [{ owner: 'a\\.b.example' }] } });
    expect(read(withOneAnswer(odd))).toMatchObject({ message: { answers: [{ owner: 'a\\\\\\032\\255' }] } });
  });

  it('reads a message of pointers to pointers quickly', () => {
    const bomb = pointerBomb();
    expect(bomb.length).toBeGreaterThan(60_000);
    const before = process.cpuUsage();
    expect(read(bomb, txt).kind).toBe('malformed');
    // Microseconds of processor time: what else the machine does is not counted.
    expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
  });

  it('never throws for any bytes', () => {
    const mutation = fc.record({ at: fc.nat(), value: fc.nat(255) });
    const mutated = fc.record({
      packet: fc.constantFrom(...samples),
      mutations: fc.array(mutation, { maxLength: 12 }),
      keep: fc.double({ min: 0.1, max: 1, noNaN: true }),
      insert: fc.uint8Array({ maxLength: 20 }),
    });
    fc.assert(
      fc.property(mutated, ({ packet, mutations, keep, insert }) => {
        const bytes = Buffer.concat([packet.bytes.subarray(0, Math.ceil(packet.bytes.length * keep)), insert]);
        // The id and the flags stay, or nearly every mutant would be put aside at once.
        for (const { at, value } of mutations) bytes[4 + (at % (bytes.length - 4))] = value;
        const result = read(bytes, packet.asked);
        if (result.kind === 'message') return interpret(result.message, packet.asked).kind !== undefined;
        return ['truncated', 'malformed', 'unrelated'].includes(result.kind);
      }),
      { numRuns: 4_000 },
    );
  });

  it('never throws on noise after a valid header', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 600 }),
        (noise) => read(Buffer.concat([response().subarray(0, 12), noise])).kind !== undefined,
      ),
      { numRuns: 2_000 },
    );
  });
});

const address: Question = { ...question, type: 'A' };
const txt: Question = { ...question, type: 'TXT' };

/** A response with one MX record whose owner name is given in octets. */
function withOneAnswer(owner: Buffer): Buffer {
  const head = response();
  head.writeUInt16BE(1, 6);
  const record = Buffer.from([0, 15, 0, 1, 0, 0, 0, 60, 0, 3, 0, 1, 0]);
  return Buffer.concat([head, owner, record]);
}

/** A chain of 8,000 pointers inside a TXT record, then records whose owner is the end of the chain. */
function pointerBomb(): Buffer {
  const head = response({}, txt);
  const strings: Buffer[] = [];
  let target = 12;
  let at = head.length + 2 + 10;
  while (at < 0x3f00) {
    const string = Buffer.alloc(255);
    string[0] = 254;
    at += 1;
    for (let index = 1; index < 255; index += 2) {
      string.writeUInt16BE(0xc000 | target, index);
      target = at;
      at += 2;
    }
    strings.push(string);
  }
  const data = Buffer.concat(strings);
  const big = Buffer.alloc(12);
  big.writeUInt16BE(0xc00c, 0);
  big.writeUInt16BE(16, 2);
  big.writeUInt16BE(1, 4);
  big.writeUInt16BE(data.length, 10);
  const small = Buffer.alloc(12);
  small.writeUInt16BE(0xc000 | target, 0);
  small.writeUInt16BE(16, 2);
  small.writeUInt16BE(1, 4);
  const count = Math.floor((65_000 - head.length - data.length) / 12);
  head.writeUInt16BE(count + 1, 6);
  return Buffer.concat([head, big, data, ...Array<Buffer>(count).fill(small)]);
}

const soa = { mname: 'ns.example', rname: 'h.example', serial: 1, refresh: 2, retry: 3, expire: 4, minimum: 5 };
const samples: { asked: Question; bytes: Buffer }[] = [
  {
    asked: question,
    bytes: response({
      answers: [
        { type: 'CNAME', name: 'example.com', data: 'a.example.com' },
        ...Array.from({ length: 13 }, (_, index): Answer => {
          return { type: 'MX', name: 'a.example.com', data: { preference: index, exchange: `mx${index}.example.com` } };
        }),
      ],
    }),
  },
  { asked: address, bytes: response({ answers: [{ type: 'A', name: 'example.com', data: '192.0.2.1' }] }, address) },
  {
    asked: txt,
    bytes: response({ answers: [{ type: 'TXT', name: 'example.com', data: ['a', 'b'.repeat(200)] }] }, txt),
  },
  {
    asked: question,
    bytes: response({ flags: 0x0183, authorities: [{ type: 'SOA', name: 'com', ttl: 60, data: soa }] }),
  },
];
