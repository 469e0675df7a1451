import fc from 'fast-check';
import { parseAddress } from './parse-address.js';
import { suggestCorrection } from './suggest-correction.js';

describe('suggestCorrection', () => {
  it.each([
    ['Ann.Lee+x@gmial.com', 'ann.lee+x@gmail.com'],
    ['ann@yahoo', 'ann@yahoo.com'],
    ['ann@gmail,com', 'ann@gmail.com'],
    ['"ann lee"@hotmail.con', '"ann lee"@hotmail.com'],
    ['jörg@gmial.com', 'jörg@gmail.com'],
  ])('answers the whole corrected address for %s', (text, corrected) => {
    expect(suggestCorrection(text)).toBe(corrected);
  });

  it.each([
    ['ann@http://gmail.com', 'ann@gmail.com'],
    ['ann@https://www.gmail.com', 'ann@gmail.com'],
    ['ann@https://www.example.com/inbox?x=1', 'ann@example.com'],
    ['ann@http:gmail.com', 'ann@gmail.com'],
    ['ann@https://gmial.com/', 'ann@gmail.com'],
    ['https://ann@gmail.com', 'ann@gmail.com'],
    ['Name <ann@example.com>', 'ann@example.com'],
    ['"Lee, Ann" <Ann@Example.com>', 'ann@example.com'],
    ['Ann <ann@gmial.com>', 'ann@gmail.com'],
    ['<ann@example.com>', 'ann@example.com'],
    ['<mailto:ann@example.com>', 'ann@example.com'],
    ['mailto:ann@example.com?subject=hi', 'ann@example.com'],
    ['ann@example.com (Ann Lee)', 'ann@example.com'],
    ["'ann@example.com'", 'ann@example.com'],
    ['"ann@example.com"', 'ann@example.com'],
    ['“ann@example.com”', 'ann@example.com'],
    ['„ann@example.com“', 'ann@example.com'],
    ['«ann@example.com»', 'ann@example.com'],
    ['«\u00a0ann@example.com\u00a0»', 'ann@example.com'],
    ['‘ann@example.com’', 'ann@example.com'],
    ['‚ann@example.com‘', 'ann@example.com'],
    ['‹ann@example.com›', 'ann@example.com'],
    ['‟ann@example.com”', 'ann@example.com'],
    ['»ann@example.com«', 'ann@example.com'],
    ['”ann@example.com”', 'ann@example.com'],
    ['「ann@example.com」', 'ann@example.com'],
    ['《ann@example.com》', 'ann@example.com'],
    ['＂ann@example.com＂', 'ann@example.com'],
    ['“Ann” <ann@example.com>', 'ann@example.com'],
    ['“ann@gmial.com”', 'ann@gmail.com'],
    ['“ann@example.com', 'ann@example.com'],
    ['ann@example.com”', 'ann@example.com'],
    ['ann@example.com…', 'ann@example.com'],
    ['(ann@example.com)', 'ann@example.com'],
    ['`ann(at)www.example.com＂.', 'ann@www.example.com'],
    ['*ann@@example(dot)com ', 'ann@example.com'],
    ['"Ann" <＇o\'neil@example．com＇*', "o'neil@example.com"],
    ["x@y < o'neil{at}example.com (a@b)>;", "o'neil@example.com"],
    ['\u3164Ann.B@Example[dot]org、', 'ann.b@example.org'],
    ['Ann.B[ @ ]Example.org>;`', 'ann.b@example.org'],
    ['ann@www.example{dot}com？', 'ann@www.example.com'],
    ['ann@@example.co\u1680m！', 'ann@example.com'],
    ['ann@example。com#frag', 'ann@example.com'],
    ['ann@example｡com/?', 'ann@example.com'],
    ['email: ann@example( DOT )com', 'ann@example.com'],
    ['ann(AT)example.com', 'ann@example.com'],
    ['Ann.B﹫Example.org', 'ann.b@example.org'],
    ...['\u115f', '\u1160', '\u2003', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000'].map(
      (sign): [string, string] => [`ann@ex${sign}ample.com`, 'ann@example.com'],
    ),
    ['ann@example.com;', 'ann@example.com'],
    ['ann@example.com,', 'ann@example.com'],
    ['ann@example.com!', 'ann@example.com'],
    ['ann@example.com/', 'ann@example.com'],
    ['ann＠example.com', 'ann@example.com'],
    ['ann@@example.com', 'ann@example.com'],
    ['ann @ example.com', 'ann@example.com'],
    ['ann@example,com', 'ann@example.com'],
    ['ann at example.com', 'ann@example.com'],
    ['Ann  AT  Example DOT com', 'ann@example.com'],
    ['<ann@example.com', 'ann@example.com'],
    ['ann@example.com>', 'ann@example.com'],
    ['mailto: ann@example.com', 'ann@example.com'],
    ['ann [at] example (dot) com'.replaceAll(' ', ''), 'ann@example.com'],
    ['ann\u200b@example.com', 'ann@example.com'],
    ['ann@\ufeffexample.com', 'ann@example.com'],
    ['ann@exam\u00adple.com', 'ann@example.com'],
    ['ann\u00a0@example.com', 'ann@example.com'],
    ['\u202aann@example.com\u202c', 'ann@example.com'],
    ['\u2066ann@example.com\u2069', 'ann@example.com'],
    ['ann\u200d@example.com', 'ann@example.com'],
    ['ann@gm\u200bial.com', 'ann@gmail.com'],
  ])('finds the address in %j', (text, inside) => {
    expect(suggestCorrection(text)).toBe(inside);
  });

  it.each([
    'ann@example.com, bob@example.com',
    'Ann <ann@example.com> <bob@example.com> or carl@example.com',
    'ann@http://',
    'ann@http://nohost',
    'ann@http://x.nosuchtld',
    'ann@foo:gmail.com',
    'meet me at noon',
    'ann at home at example.com',
    'Ann (work) ann@example.com',
    '’s-Gravenhage@example.com',
    '{ann@example.com',
    '“”',
    '“@”',
    'mailto:',
    '<>',
    'نام\u200cخانوادگی@example.com',
    `${'<'.repeat(500)}${'@'.repeat(500)}`,
    "o'neil@example.com> (x);",
    'ann@exampl“e.com',
    '\u1160a＇nn@example.com',
    'ann AT @example.com',
    'ann@https:///example.com\u200b',
    'Ann (x) <ann“> <b@example.com>',
  ])('finds none in %j', (text) => {
    expect(suggestCorrection(text)).toBeNull();
  });

  it.each([
    'ann@gmail.com',
    'ann@example.com',
    'ann',
    '@gmial.com',
    'ann..lee@gmial.com',
    'ann@ｇｍａｉｌ.com',
    '',
    '@',
  ])('has none for %s', (text) => {
    expect(suggestCorrection(text)).toBeNull();
  });

  it('returns only valid addresses, for any text', () => {
    const text = fc
      .tuple(fc.string(), fc.constantFrom('gmial.com', 'yahoo', 'x.cmo', 'gmail,com'))
      .map((parts) => parts.join('@'));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (any) => {
        const corrected = suggestCorrection(any);
        expect(corrected === null || parseAddress(corrected).ok).toBe(true);
      }),
    );
  });
});
