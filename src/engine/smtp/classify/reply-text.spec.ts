import { MAX_TEXT } from './bounded-text.js';
import { readReplyText } from './reply-text.js';

function read(text: string | string[], recipient: string | null = null, ownNames: string[] = []) {
  const lines = typeof text === 'string' ? [text] : text;
  return readReplyText({ code: 550, enhanced: null, lines, mixed: false }, { recipient, ownNames });
}
const words = (text: string) => read(text).words.join(' ');

describe('readReplyText', () => {
  it('makes lower-case words without punctuation and numbers', () => {
    expect(words('Recipient address REJECTED: User-unknown, (code=28)!')).toBe(
      'recipient address rejected user unknown code',
    );
  });

  it('removes accents and spells out ß', () => {
    expect(words('Empfänger größer, Žluťoučký, Łódź, ЁЖИК, İstanbul')).toBe(
      'empfanger grosser zlutoucky lodz ежик istanbul',
    );
  });

  it('keeps English contractions together and splits French ones', () => {
    expect(words("doesn't can’t l'adresse n'existe")).toBe('doesnt cant l adresse n existe');
  });

  it('makes each character of a script without spaces a word', () => {
    expect(words('用户不存在')).toBe('用 户 不 存 在');
    expect(words('ユーザー、不明')).toBe('ユ ー ザ ー 不 明');
  });

  it('reads e-mail and mail box as one word each', () => {
    expect(words('e-mail mail-box mail box E-Mail')).toBe('email mailbox mailbox email');
  });

  it('drops addresses, but keeps text beyond a colon', () => {
    expect(words('<a.b@example.com>... unknown')).toBe('unknown');
    expect(words('refused:a@example.com a@example.com:blocked')).toBe('refused blocked');
  });

  it('marks IP addresses, host names, links and blocklists', () => {
    expect(words('[192.0.2.1] 2001:db8::1 192.0.2.1:25')).toBe('#ip #ip #ip');
    expect(words('mx1.example.com denied.For help')).toBe('#host denied for help');
    expect(words('see https://example.com/spam?ip=192.0.2.1')).toBe('see #url');
    expect(words('zen.spamhaus.org https://www.spamcop.net/bl?1')).toBe('#dnsbl #dnsbl');
    expect(words('marble.example hurbl.example')).not.toContain('dnsbl.');
  });

  it('drops the domain of the recipient and replaces our own names', () => {
    const text = 'helo probe.example.net for spam.example';
    expect(read(text, 'x@spam.example', ['Probe.example.net']).words.join(' ')).toBe('helo #us for');
  });

  it('finds an enhanced code of the reply’s class in the text', () => {
    expect(read('sorry (#5.7.1)').enhanced).toBe('5.7.1');
    expect(read('gateway 5.1.1 unknown').enhanced).toBe('5.1.1');
    expect(read('version 4.9.1').enhanced).toBeNull();
    expect(read('client 5.6.7.8').enhanced).toBeNull();
  });

  it.each([
    ['#5.1.1', '5.1.1'],
    ['(550-5.7.1)', '5.7.1'],
    ['error 5.1.1: no', '5.1.1'],
    ['5.1.1.', '5.1.1'],
    ['5.123.456', '5.123.456'],
    ['5.1.1 5.2.2', '5.1.1'],
    ['##5.1.1', null],
    ['55.1.1', null],
    ['5.1234.1', null],
    ['5.1.1234', null],
    ['5..1', null],
    ['2.1.5', null],
  ])('reads the enhanced code of %j as %s', (text, enhanced) => {
    expect(read(text).enhanced).toBe(enhanced);
  });

  it.each([
    ['HTTP://EXAMPLE.COM/x WWW.example.com', '#url #url'],
    ['<https://example.com>blocked "http://a.example"user', '#url blocked #url user'],
    ['HTTPS://Zen.Spamhaus.org/q', '#dnsbl'],
    ['1.2.3.4/24 1.2.3.4/99999 1.2.3.4:123456 1.2.3.4567 x1.2.3.4 1.2.3', '#ip #ip x1'],
    ['2001:DB8::1 2001:db8::1/64 [IPv6:2001:db8::1] a:b 12:34 g::1', '#ip #ip #ip a b g'],
    ['_dmarc.example.com *.example.com -a.example.com a_b.c_d.example.com', '#host #host #host #host'],
    ['a1.b2.c3d mx.a1-b.co example.com/path/x a.b', '#host #host #host a b'],
    ['resolver.rst.notauthorized RESOLVER.RST.RecipSizeLimit', '#restriction #host'],
    ['resolver.rst.sendersizelimit x.resolver.rst.y', '#host x resolver rst y'],
    ['myrbl.example.org cbl.abuseat.org sbl-xbl.example.com dnsbl-2.example.com', '#dnsbl #dnsbl #dnsbl #dnsbl'],
    ['blacklist.example.com blocklist.de abusix.com sorbs.net', '#dnsbl #dnsbl #dnsbl #dnsbl'],
    ['surbl.org uribl.com pbl.example senderscore.org', '#dnsbl #dnsbl #dnsbl #dnsbl'],
    ['marble.example rbl1.example.org', '#host #host'],
    ["don't we're l'adresse 'quoted' rock'n'roll O'Neil's", 'dont were l adresse quoted rockn roll o neils'],
    ['e-mailadresse e x box mail-box', 'emailadresse e x box mailbox'],
    ['abc123 123 4x4', 'abc123 4x4'],
    ['refused:x@example.com:Blocked Mixed:CASE:y@example.com', 'refused blocked mixed case'],
  ])('makes of %j the words %j', (text, expected) => {
    expect(words(text)).toBe(expected);
  });

  it.each([
    ['spam', 'spam@example.com', 'spam'],
    ['"spam" <spam> (spam) [spam] {spam}', 'spam@example.com', ''],
    ['"spam) <spam spam>', 'spam@example.com', 'spam spam spam'],
    ["'spam' spam' spam", 'spam@example.com', 'spam spam'],
    ['a.b a1 A.B spam', 'A.B@Example.com', 'a1 spam'],
    ['Example.COM example.com', 'x@Example.com', ''],
    ['"a b"@example.com unknown "A B"@EXAMPLE.com', '"a b"@example.com', 'unknown'],
    ['İ "a b"@example.com unknown', '"a b"@example.com', 'i unknown'],
    ['noat noat', 'noat', 'noat noat'],
    ['a@b@example.com x', 'a@b@example.com', 'x'],
  ])('makes of %j to %s the words %j', (text, recipient, expected) => {
    expect(read(text, recipient).words.join(' ')).toBe(expected);
  });

  it.each(['"', '(', ')', ',', ':', ';', '<', '>', '[', ']', '=', '|', '{', '}'])(
    'drops a recipient with %s as a whole',
    (sign) => {
      const recipient = `bad${sign}user@example.com`;
      expect(read(`${recipient} unknown`, recipient).words.join(' ')).toBe('unknown');
    },
  );

  it.each([
    ['<check@probe.example> no', null, true],
    ['@PROBE.example', null, true],
    ['probe.example', null, false],
    ['check@probe.example x@y.example', 'x@y.example', false],
    ['check@probe.example X@Y.example', 'x@Y.example', false],
  ])('says whether %j is about our sender', (text, recipient, about) => {
    expect(read(text, recipient, ['probe.example', 'Check@Probe.example']).aboutSender).toBe(about);
  });

  it('reads the lines as one bounded text', () => {
    expect(read(['user', 'unknown']).words).toEqual(['user', 'unknown']);
    expect(read(['x '.repeat(MAX_TEXT), 'unread']).words).not.toContain('unread');
  });
});
