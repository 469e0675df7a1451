import { MalformedMessage, MessageReader, type RecordFrame } from './message-reader.js';
import { TYPE_NUMBER } from './record-types.js';
import type { RecordType } from './resolver.js';

/** A label with its length. */
const label = (text: string): number[] => [text.length, ...Buffer.from(text, 'latin1')];
const nameIn = (bytes: readonly number[], offset = 0): string => {
  const reader = new MessageReader(Buffer.from(bytes));
  reader.offset = offset;
  return reader.domainName();
};
function fault(read: () => unknown): MalformedMessage {
  try {
    read();
  } catch (error) {
    if (error instanceof MalformedMessage) return error;
  }
  throw new Error('no fault');
}

describe('a name', () => {
  const bytes = [...label('Example'), ...label('com'), 0, ...label('www'), 0xc0, 0, 0xc0, 13, 0xff];

  it('may end in a pointer, or be one, and what follows it is read next', () => {
    const reader = new MessageReader(Buffer.from(bytes));
    const names = ['example.com', 'www.example.com', 'www.example.com'];
    expect(names.map(() => [reader.domainName(), reader.offset])).toEqual([
      ['example.com', 13],
      ['www.example.com', 19],
      ['www.example.com', 21],
    ]);
    expect(reader.uint8()).toBe(0xff);
  });

  it('may lie beyond the first 255 octets, where a pointer has more than one octet', () => {
    const far = [...Array<number>(0x1234).fill(0), ...label('far'), 0];
    expect(nameIn([...far, 0xc0 + 0x12, 0x34], far.length)).toBe('far');
  });

  it('has no more than 255 octets, those behind pointers included', () => {
    const long = [...Array.from({ length: 3 }, () => label('a'.repeat(63))).flat(), ...label('b'.repeat(61)), 0];
    expect(nameIn(long)).toHaveLength(253);
    const longer = [...label('b'.repeat(59)), 0, ...long.slice(0, 3 * 64), ...label('c'), 0xc0, 0];
    expect(nameIn(longer, 61)).toHaveLength(253);
    expect(fault(() => nameIn([...long.slice(0, 3 * 64), ...label('b'.repeat(62)), 0])).cutOff).toBe(false);
    expect(fault(() => nameIn([...longer.slice(0, -2), 1, 0x61, 0xc0, 0], 61)).cutOff).toBe(false);
  });

  it('follows 64 pointers, and no more', () => {
    const pointers = Array.from({ length: 65 }, (_, n) => [0xc0, n === 0 ? 0 : 2 * n + 1]).flat();
    const chain = [...label('a'), 0, ...pointers];
    expect(nameIn(chain, 3 + 2 * 63)).toBe('a');
    expect(fault(() => nameIn(chain, 3 + 2 * 64)).message).toBe('pointer does not lead back');
  });

  it.each([
    ['to itself', [0xc0, 0], 0],
    ['to its own label', [...label('a'), 0xc0, 0], 0],
    ['forward', [0xc0, 2, ...label('a'), 0], 0],
    ['back, and from there forward', [0xc0, 2, ...label('a'), 0, 0xc0, 0], 5],
    ['from one name into the next', [...label('a'), 0xc0, 4, ...label('b'), 0xc0, 0], 4],
  ])('has no pointer %s', (_, name, offset) => {
    expect(fault(() => nameIn(name, offset)).message).toBe('pointer does not lead back');
  });

  it.each([0x40, 0x7f, 0x80, 0xbf])('has no label of the type of %d', (octet) => {
    expect(fault(() => nameIn([octet, ...Array<number>(255).fill(0x61), 0])).message).toBe('label type unknown');
  });

  it.each([[[]], [label('a')], [[3, 0x61, 0x61]], [[0xc0]]])('that ends early is cut off: %j', (name) => {
    expect(fault(() => nameIn(name)).cutOff).toBe(true);
  });

  it('is lowercase, and has what could be mistaken for something else escaped', () => {
    expect(nameIn([...label('AZ@[`az{'), 0])).toBe('az@[`az{');
    expect(nameIn([...label(' !.\\~\u007f\u00ff'), 0])).toBe(String.raw`\032!\.\\~\127\255`);
    expect(nameIn([0])).toBe('.');
  });
});

describe('a message that ends early', () => {
  it.each<[string, (reader: MessageReader) => unknown, number]>([
    ['an octet', (reader) => reader.uint8(), 0],
    ['two octets', (reader) => reader.uint16(), 1],
    ['four octets', (reader) => reader.uint32(), 3],
    ['a piece', (reader) => reader.take(5), 4],
    ['the data of a record', (reader) => reader.recordFrame(), 11],
  ])('is cut off in %s', (_, read, octets) => {
    const bytes = [0, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4];
    expect(fault(() => read(new MessageReader(Buffer.from(bytes.slice(0, octets))))).cutOff).toBe(true);
  });
});

/** A frame whose data are all of the bytes. */
const frameOf = (type: RecordType, bytes: readonly number[]): RecordFrame => ({
  owner: '.',
  type: TYPE_NUMBER[type],
  class: 1,
  ttl: 0,
  start: 0,
  end: bytes.length,
});

describe('the data of a record', () => {
  it('leave the reader where it was', () => {
    const reader = new MessageReader(Buffer.from([192, 0, 2, 1, 0, 7]));
    reader.offset = 5;
    const frame = frameOf('A', [192, 0, 2, 1]);
    expect(reader.recordData(frame)).toEqual({ type: 'A', address: '192.0.2.1' });
    expect(reader.uint8()).toBe(7);
  });

  it.each<[string, RecordType, number[]]>([
    ['a tag beyond them', 'CAA', [0, 5, 0x69]],
    ['a string beyond them', 'TXT', [5, 0x61]],
    ['too little', 'A', [192, 0, 2]],
    ['too much', 'AAAA', Array<number>(17).fill(1)],
  ])('are malformed with %s', (_, type, bytes) => {
    const reader = new MessageReader(Buffer.from([...bytes, ...Array<number>(20).fill(0)]));
    expect(() => reader.recordData(frameOf(type, bytes))).toThrow(MalformedMessage);
  });

  it('of CAA have a tag in lowercase, and a flag in the highest bit alone', () => {
    const read = (flags: number): unknown => {
      const bytes = [flags, ...label('ISSUE'), 0x3b];
      return new MessageReader(Buffer.from(bytes)).recordData(frameOf('CAA', bytes));
    };
    expect(read(0x80)).toEqual({ type: 'CAA', critical: true, tag: 'issue', value: ';' });
    expect(read(0x7f)).toMatchObject({ critical: false });
  });
});

describe('extended errors', () => {
  const codes = (bytes: readonly number[]): number[] => {
    return new MessageReader(Buffer.from([...bytes, 0, 15, 0, 2])).extendedErrors(frameOf('A', bytes));
  };

  it('are found among other options, with and without a text', () => {
    const cookie = [0, 10, 0, 8, 0, 15, 0, 2, 0, 1, 2, 3];
    expect(codes([...cookie, 0, 15, 0, 2, 0, 22, 0, 15, 0, 4, 1, 2, 0x68, 0x69])).toEqual([22, 0x102]);
    expect(codes([])).toEqual([]);
  });

  it('are no more than their option holds, and end with the data', () => {
    expect(codes([0, 15, 0, 1, 9, 0, 15, 0, 2, 0, 3])).toEqual([3]);
    expect(codes([0, 15, 0, 3, 0, 1])).toEqual([]);
    expect(codes([0, 15, 0, 0])).toEqual([]);
    expect(codes([0, 15, 0])).toEqual([]);
  });
});
