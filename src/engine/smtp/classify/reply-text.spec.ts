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

  it('reads the lines as one bounded text', () => {
    expect(read(['user', 'unknown']).words).toEqual(['user', 'unknown']);
    expect(read(['x '.repeat(MAX_TEXT), 'unread']).words).not.toContain('unread');
  });
});
