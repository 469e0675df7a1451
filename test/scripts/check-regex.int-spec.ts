import { callScriptFunction } from './script-function.js';

const judge = (literal: string): Promise<unknown> => callScriptFunction('judge-regex.mjs', 'judgeRegex', literal);

describe('the check of regular expressions', () => {
  it.each([
    '/^[ \\t\\r\\n]*=[ \\t\\r\\n]*([\\x21-\\x3a \\t\\r\\n]*)$/',
    '/^[+\\-?~]?([a-z][a-z0-9]*)(.*)$/i',
    '/^(?:a|a)*$/',
    '/\\s+$/',
  ])('refuses slow patterns, with a text that shows it: %s', async (literal) => {
    expect(await judge(literal)).toMatch(/^(2nd degree polynomial|exponential) time on .*repeat\(\d+\)/);
  });

  it.each(['/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i', '/(?<![^\\s@])[^\\s@]+@/g', '/[\\s,]+/'])(
    'accepts %s',
    async (literal) => {
      expect(await judge(literal)).toBeNull();
    },
  );

  it('finds literals anywhere, and concatenated patterns', async () => {
    const source =
      "const a = x / y / z; // /no/\nconst b = '/no/'.replace(/a/g, `${/b/.source}`);\nnew RegExp(`^${a}`);";
    expect(await callScriptFunction('regex-literals.mjs', 'regexLiterals', 'a.ts', source)).toEqual([
      { where: 'a.ts:2', text: '/a/g', built: false },
      { where: 'a.ts:2', text: '/b/', built: false },
      { where: 'a.ts:3', text: 'new RegExp(`^${a}`)', built: true },
    ]);
  });
});
