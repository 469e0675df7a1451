import fc from 'fast-check';
import type { Address, SyntaxFault } from './address.js';
import { canonicalAddress } from './canonical-address.js';
import { parseAddress } from './parse-address.js';

function accepted(input: string): Address {
  const parsed = parseAddress(input);
  if (!parsed.ok) throw new Error(`refused for ${parsed.fault}: ${JSON.stringify(input)}`);
  return parsed.address;
}

function faultOf(input: string): SyntaxFault | 'none' {
  const parsed = parseAddress(input);
  return parsed.ok ? 'none' : parsed.fault;
}

const label63 = 'd'.repeat(63);
/** A domain of exactly 253 octets. */
const domain253 = `${label63}.${label63}.${label63}.${'e'.repeat(61)}`;

describe('parseAddress', () => {
  it('returns the trimmed, lowercase text', () => {
    expect(accepted('  John.Doe+Tag@Example.COM\r\n')).toEqual({
      text: 'john.doe+tag@example.com',
      localPart: 'john.doe+tag',
      domain: 'example.com',
      internationalized: false,
    });
  });

  it.each([
    ["!#$%&'*+-/=?^_`{|}~@example.com"],
    [`${'a'.repeat(64)}@example.com`],
    ['a@b.co'],
    ['a@example.1-2'],
    [`${'a'.repeat(62)}@${label63}.${label63}.${label63}`],
    [`é@${label63}.${label63}.${label63}.${'d'.repeat(59)}`],
    ['a@1.example'],
    ['a@xn--bcher-kva.example'],
    // An emoji of several, with a joiner: registered as this, whatever UTS 46 says of it.
    ['a@xn--1ug6825plhas9r.example'],
    ['a@xn--example.example'],
    ['a@ab--cd.example.com'],
    ['a@example.notatld'],
  ])('accepts %s', (text) => {
    expect(accepted(text).text).toBe(text);
  });

  it.each<[string, SyntaxFault]>([
    ['', 'empty'],
    [' \r\n ', 'empty'],
    ['example.com', 'no_at_sign'],
    ['"a@example.com"', 'no_at_sign'],
    ['a\r\nRCPT TO:<b@example.com>', 'control_character'],
    ['a\u0000@example.com', 'control_character'],
    ['a@example.com\u0000', 'control_character'],
    ['"a\tb"@example.com', 'control_character'],
    ['a@exa\u0085mple.com', 'control_character'],
    ['a\u2028@example.com', 'control_character'],
    ['@example.com', 'local_part_empty'],
    [`${'a'.repeat(65)}@example.com`, 'local_part_too_long'],
    [`${'é'.repeat(33)}@example.com`, 'local_part_too_long'],
    [`"${'a'.repeat(63)}"@example.com`, 'local_part_too_long'],
    ['a b@example.com', 'local_part_character'],
    ['a@b@example.com', 'local_part_character'],
    ['a<b@example.com', 'local_part_character'],
    ['a(comment)@example.com', 'local_part_character'],
    ['a\u202eb@example.com', 'local_part_character'],
    ['a\u00a0b@example.com', 'local_part_character'],
    ['a\ud800@example.com', 'local_part_character'],
    ['a\ufdd0@example.com', 'local_part_character'],
    ['.a@example.com', 'local_part_dots'],
    ['a.@example.com', 'local_part_dots'],
    ['a..b@example.com', 'local_part_dots'],
    ['"a@example.com', 'local_part_quoting'],
    ['"a"b@example.com', 'local_part_quoting'],
    ['"a"."b"@example.com', 'local_part_quoting'],
    [String.raw`"a\"@example.com`, 'local_part_quoting'],
    [String.raw`"a\é"@example.com`, 'local_part_quoting'],
    ['a@', 'domain_empty'],
    [`a@${domain253}x`, 'domain_too_long'],
    [`a@${domain253}`, 'address_too_long'],
    [`a@${'é'.repeat(2000)}.example`, 'domain_too_long'],
    ['a@localhost', 'domain_single_label'],
    ['a@example.com.', 'domain_label'],
    ['a@exam..ple.com', 'domain_label'],
    ['a@-a.example.com', 'domain_label'],
    ['a@a-.example.com', 'domain_label'],
    ['a@under_score.example.com', 'domain_label'],
    [`a@${label63}d.example.com`, 'domain_label'],
    ['a@exa mple.com', 'domain_label'],
    ['a@xn--.example', 'domain_label'],
    ['a@-bücher.example', 'domain_label'],
    ['a@shop.bücher-.example', 'domain_label'],
    ['a@bücher－.example', 'domain_label'],
    ['a@1א.example', 'domain_label'],
    ['a@b\u200dü.example', 'domain_label'],
    ['a@exa\u00admple.com', 'domain_label'],
    ['a@b@c"@example.com', 'local_part_character'],
    ['"a"@b@example.com', 'domain_label'],
    ['a@127.0.0.1', 'domain_numeric'],
    ['a@example.123', 'domain_numeric'],
    ['a@[127.0.0.1]', 'domain_literal'],
    ['a@[IPv6:::1]', 'domain_literal'],
    [`${'a'.repeat(63)}@${label63}.${label63}.${label63}`, 'address_too_long'],
    [`é@${label63}.${label63}.${label63}.${'d'.repeat(60)}`, 'address_too_long'],
    ['A Name <a@example.com>', 'local_part_character'],
  ])('refuses %j for %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it('refuses a domain that percent-decoding or number parsing would turn into a host', () => {
    expect(faultOf('a@exa%6dple.com')).toBe('domain_label');
    expect(faultOf('a@0x7f.1')).toBe('domain_numeric');
  });

  describe('a quoted local part', () => {
    it.each([
      ['"john.doe"@example.com', 'john.doe'],
      [String.raw`"jo\hn"@example.com`, 'john'],
      [String.raw`"\~"@example.com`, '~'],
      ['"é"@example.com', 'é'],
    ])('drops needless quotes: %s', (text, localPart) => {
      expect(accepted(text)).toMatchObject({ text, localPart });
    });

    it.each([
      ['"john doe"@example.com', '"john doe"'],
      [String.raw`"john\ doe"@example.com`, '"john doe"'],
      ['"a@b"@example.com', '"a@b"'],
      ['"é a"@example.com', '"é a"'],
      ['"a..b"@example.com', '"a..b"'],
      ['""@example.com', '""'],
      [String.raw`"a\"b\\c"@example.com`, String.raw`"a\"b\\c"`],
    ])('keeps the minimum quoting: %s', (text, localPart) => {
      expect(accepted(text)).toMatchObject({ localPart });
    });
  });

  describe('an internationalized address', () => {
    it('has the local part in NFC, the domain in A-labels, and the text as sent', () => {
      expect(accepted('Jose\u0301@Bücher.example')).toEqual({
        text: 'jose\u0301@bücher.example',
        localPart: 'josé',
        domain: 'xn--bcher-kva.example',
        internationalized: true,
      });
    });

    it('needs no SMTPUTF8 if only the domain is internationalized', () => {
      expect(accepted('info@bücher.example').internationalized).toBe(false);
    });

    it('keeps joiners inside words', () => {
      expect(accepted('نامه\u200cای@example.com').localPart).toBe('نامه\u200cای');
      expect(accepted('क्\u200dष@क्\u200dष.example').localPart).toBe('क्\u200dष');
    });

    it('keeps letters that IDNA 2003 replaced', () => {
      expect(accepted('a@faß.example').domain).toBe('xn--fa-hia.example');
    });

    it('counts the local part in octets after NFC', () => {
      expect(accepted(`${'e\u0301'.repeat(32)}@example.com`).localPart).toBe('é'.repeat(32));
    });
  });

  it('gives every spelling of a mailbox the same canonical form', () => {
    const canonical = ['JOSÉ@BÜCHER.example', '"jose\u0301"@xn--bcher-kva.EXAMPLE', ' josé@bücher.example'].map(
      (text) => canonicalAddress(accepted(text)),
    );
    expect(new Set(canonical)).toEqual(new Set(['josé@xn--bcher-kva.example']));
  });

  it('refuses a megabyte of hostile text in linear time', () => {
    const hostile = ['"\\', 'a.', '@', 'a@b.', '\u0301', 'ü.', 'a@xn--', ' '].map((piece) => piece.repeat(200_000));
    expect(hostile.map((text) => parseAddress(text).ok)).toEqual(hostile.map(() => false));
  });
});

describe('parseAddress, for any string', () => {
  const piece = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '@',
      '"',
      '\\',
      '.',
      '-',
      'xn--',
      'İ',
      'ß',
      'Σ',
      '。',
      '[',
      '\r\n',
      '\u0000',
      ' ',
      'example.com',
      'É',
    ),
    fc.stringMatching(/^[abcXYZ019._+-]{0,70}$/),
  );
  const anyText = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  const nearlyAddress = fc.tuple(anyText, anyText).map(([local, domain]) => `${local}@${domain}.example`);
  const input = fc.oneof(anyText, nearlyAddress, fc.emailAddress());

  it('never throws, and parsing its text again gives the same', () => {
    fc.assert(
      fc.property(input, (text) => {
        const parsed = parseAddress(text);
        expect(parseAddress(parsed.ok ? parsed.address.text : parsed.text)).toEqual(parsed);
      }),
    );
  });

  it('accepts no line breaks and nothing beyond the limits', () => {
    fc.assert(
      fc.property(input, (text) => {
        const parsed = parseAddress(text);
        if (!parsed.ok) return;
        const { localPart, domain } = parsed.address;
        expect(`${parsed.address.text}${localPart}${domain}`).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
        expect(Buffer.byteLength(localPart)).toBeLessThanOrEqual(64);
        expect(Buffer.byteLength(`${localPart}@${domain}`)).toBeLessThanOrEqual(254);
        expect(domain).toMatch(
          /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/,
        );
      }),
    );
  });

  it('parses a canonical form to itself', () => {
    fc.assert(
      fc.property(input, (text) => {
        const parsed = parseAddress(text);
        if (!parsed.ok) return;
        const again = accepted(canonicalAddress(parsed.address));
        expect(again).toMatchObject({ localPart: parsed.address.localPart, domain: parsed.address.domain });
      }),
    );
  });

  it('parses a plain address and its needlessly quoted form alike', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const at = text.lastIndexOf('@');
        // Quotes count towards the 64 octets.
        fc.pre(at <= 62);
        const quoted = accepted(`"${text.slice(0, at)}"${text.slice(at)}`);
        expect(canonicalAddress(quoted)).toBe(canonicalAddress(accepted(text)));
      }),
    );
  });
});
