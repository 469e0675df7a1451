import * as fc from 'fast-check';
import { REPLY_LIMITS, ReplyParser, type ParsedReply } from './reply-parser.js';

function parse(chunks: readonly (Buffer | string)[]): ParsedReply[] {
  const parsed: ParsedReply[] = [];
  const parser = new ReplyParser((one) => parsed.push(one));
  for (const chunk of chunks) parser.push(Buffer.from(chunk as string));
  return parsed;
}

const reply = (code: number, lines: string[], enhanced: string | null = null, mixed = false): ParsedReply => ({
  kind: 'reply',
  reply: { code, enhanced, lines, mixed },
});

describe('ReplyParser', () => {
  it('joins the lines of a reply', () => {
    expect(parse(['220-mx.example.test\r\n220-be patient\r\n220 ready\r\n'])).toEqual([
      reply(220, ['mx.example.test', 'be patient', 'ready']),
    ]);
  });

  it('returns several replies of one packet in order', () => {
    expect(parse(['250 2.1.0 ok\r\n550-5.1.1 no\r\n550 5.1.1 such user\r\n221 bye\r\n'])).toEqual([
      reply(250, ['ok'], '2.1.0'),
      reply(550, ['no', 'such user'], '5.1.1'),
      reply(221, ['bye']),
    ]);
  });

  it('ends a line at a bare LF too, and ignores stray carriage returns', () => {
    expect(parse(['250-a\n250 b\n250 c\r\r\n'])).toEqual([reply(250, ['a', 'b']), reply(250, ['c'])]);
  });

  it('waits for the last line', () => {
    expect(parse(['220-teaser\r\n'])).toEqual([]);
    expect(parse(['250 no line end'])).toEqual([]);
  });

  it('marks a reply whose lines carry different codes', () => {
    expect(parse(['250-2.1.5 ok\r\n550 5.1.1 no\r\n'])).toEqual([reply(550, ['ok', 'no'], '2.1.5', true)]);
  });

  it('reads a line without a code inside a reply as text', () => {
    expect(parse(['550-5.1.1 no such\nuser here\n550 sorry\n'])).toEqual([
      reply(550, ['no such', 'user here', 'sorry'], '5.1.1'),
    ]);
  });

  it('reads texts in any charset, wherever the bytes are cut', () => {
    const text = Buffer.from('d3c3bba7b2bbb4e6d4da', 'hex');
    const gbk = Buffer.concat([Buffer.from('550-5.1.1 '), text, Buffer.from('\r\n550 '), text, Buffer.from('\r\n')]);
    for (let cut = 0; cut <= gbk.length; cut += 1) {
      const expected = [reply(550, ['用户不存在', '用户不存在'], '5.1.1')];
      expect(parse([gbk.subarray(0, cut), gbk.subarray(cut)])).toEqual(expected);
    }
  });

  it.each(['SSH-2.0-OpenSSH_9.2\r\n', 'HTTP/1.1 400 Bad Request\r\n', '\r\n', '999 what\r\n'])(
    'answers %j with a fault, and nothing after it',
    (bytes) => expect(parse([bytes, '250 ok\r\n'])).toEqual([{ kind: 'fault', why: 'not_smtp' }]),
  );

  it('fails as soon as a line is too long', () => {
    const endless = Buffer.alloc(REPLY_LIMITS.lineBytes, 'a');
    expect(parse([endless])).toEqual([]);
    expect(parse([endless, 'a', endless])).toEqual([{ kind: 'fault', why: 'line_too_long' }]);
  });

  it('fails for a reply of too many lines or bytes', () => {
    expect(parse(['250-a\r\n'.repeat(REPLY_LIMITS.lines + 1)])).toEqual([{ kind: 'fault', why: 'reply_too_long' }]);
    const long = `250-${'a'.repeat(2_000)}\r\n`;
    expect(parse([long.repeat(40)])).toEqual([{ kind: 'fault', why: 'reply_too_long' }]);
  });

  it('accepts the longest allowed reply', () => {
    const [parsed] = parse([`${'250-a\r\n'.repeat(REPLY_LIMITS.lines - 1)}250 z\r\n`]);
    expect(parsed?.kind).toBe('reply');
  });

  it('passes every line to the trace', () => {
    const lines: string[] = [];
    new ReplyParser(
      () => undefined,
      (line) => lines.push(line),
    ).push(Buffer.from('250-2.0.0 a\r\n250 b\r\n'));
    expect(lines).toEqual(['250-2.0.0 a', '250 b']);
  });

  describe('whatever the bytes', () => {
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom('220', '250', '421', '550'), fc.constantFrom(' ', '-', ''), fc.string())
        .map((t) => t.join('')),
      fc.string(),
      fc.constant('250-5.1.1 x'),
      fc.constant('a'.repeat(REPLY_LIMITS.lineBytes)),
    );
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 5_000 }).map((array) => Buffer.from(array)),
      fc
        .array(fc.tuple(line, fc.constantFrom('\r\n', '\n', '\r\r\n')))
        .map((lines) => Buffer.from(lines.map((parts) => parts.join('')).join(''), 'latin1')),
    );

    it('returns the same replies however the bytes are cut', () => {
      fc.assert(
        fc.property(bytes, fc.array(fc.nat(), { maxLength: 20 }), (input, cuts) => {
          const places = [...new Set(cuts.map((cut) => cut % (input.length + 1)))].sort((a, b) => a - b);
          const pieces = [0, ...places].map((from, index) => input.subarray(from, places[index] ?? input.length));
          expect(parse(pieces)).toEqual(parse([input]));
        }),
        { numRuns: 500 },
      );
    });

    it('returns the same replies byte by byte, and never throws', () => {
      fc.assert(
        fc.property(bytes, (input) => {
          expect(parse([...input].map((byte) => Buffer.from([byte])))).toEqual(parse([input]));
        }),
        { numRuns: 100 },
      );
    });
  });

  it('holds at most one reply, however long an unfinished one is', () => {
    const parser = new ReplyParser(() => undefined);
    const chunk = Buffer.alloc(1 << 20, 'x');
    const before = process.memoryUsage().arrayBuffers;
    for (let fed = 0; fed < 200; fed += 1) parser.push(chunk);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 << 20);
  });
});
