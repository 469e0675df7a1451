import { encodeText } from '../../../../test/factories/encode-text.js';
import { decodeLines } from './decode-lines.js';

const octets = (text: string, charset: string): string => encodeText(text, charset).toString('latin1');
const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

describe('decodeLines', () => {
  it('leaves plain text as it is', () => {
    const lines = ['5.1.1 no such user', 'a = b?'];
    expect(decodeLines(lines)).toBe(lines);
  });

  it('detects the charset from all lines of a reply', () => {
    const lines = ['拒绝', '您的邮件被拒绝，请联系管理员', 'rejected'];
    expect(decodeLines(lines.map((line) => octets(line, 'gb18030')))).toEqual(lines);
  });

  it.each([
    ['UTF-8', utf8('用户不存在'), 4],
    ['GBK', octets('用户不存在', 'gb18030'), 5],
    ['Shift_JIS', octets('ユーザーが存在しません', 'shift_jis'), 7],
  ])('reads a character of %s that is cut by a line end', (_, text, at) => {
    const whole = decodeLines([text]).join('');
    expect(decodeLines([text.slice(0, at), text.slice(at)]).join('')).toBe(whole);
  });

  it('decodes ISO-2022-JP, which looks like ASCII', () => {
    expect(decodeLines([octets('550 宛先不明 (unknown)', 'iso-2022-jp')])).toEqual(['550 宛先不明 (unknown)']);
  });

  it.each([
    ['=?UTF-8?B?5Y+R5L+hSVDooqvnpoHmraI=?=', '发信IP被禁止'],
    ['x =?windows-1251?Q?=CE=F2=EF=F0=E0=E2=E8=F2=E5=EB=FC?= y', 'x Отправитель y'],
    ['=?gb2312?B?08O7p7K7tObU2g==?=', '用户不存在'],
    ['=?iso-8859-1*fr?q?bo=EEte_pleine?=', 'boîte pleine'],
    ['=?utf-8?B?5Y+R5L8=?= =?utf-8?B?oUlQ?=', '发信IP'],
    ['=?unheard-of?B?YWJj?=', 'abc'],
    ['=?utf-8?X?abc?= is none', '=?utf-8?X?abc?= is none'],
  ])('reads the encoded words of %s', (line, text) => {
    expect(decodeLines([line])).toEqual([text]);
  });

  it('decodes an encoded word that continues on the next line', () => {
    expect(decodeLines(['a =?utf-8?B?5Y+R5L8=?=', ' =?utf-8?B?oUlQ?= b']).join('')).toBe('a 发信IP b');
  });

  it('stays fast on repeated near misses of an encoded word', () => {
    const line = '=?a?b?'.repeat(10_000);
    expect(decodeLines([line])).toEqual([line]);
  });
});
