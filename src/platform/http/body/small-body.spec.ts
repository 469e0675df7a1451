import { readSmallBody } from './small-body.js';

const FIELDS = ['email', 'a', 'b'];
const parse = (text: string) => readSmallBody(Buffer.from(text), FIELDS).value;
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('readSmallBody', () => {
  it('reads JSON of every kind', () => {
    expect(parse('{"email":"a\\u0000\\r\\n"}')).toEqual({ email: 'a\0\r\n' });
    expect(parse(' [1] ')).toEqual([1]);
    expect(parse('null')).toBeNull();
    expect(parse('{"email":"jürgen@例え.example 😀"}')).toEqual({ email: 'jürgen@例え.example 😀' });
    expect(parse('')).toBeUndefined();
    expect(parse('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  it.each([
    ['{', 'it ends too early'],
    [' ', 'it ends too early'],
    ['{"a":1,}', 'see octet 8'],
    ["{'a':1}", 'see octet 2'],
    ['{"a":\n None}', 'see octet 8'],
    ['{"é":tru}', 'see octet 7'],
    ['tru', 'see octet 1'],
    ['undefined', 'see octet 1'],
    ['\uFEFF\uFEFF{}', 'see octet 1'],
    ['{} {}', 'see octet 4'],
    ['[1}', 'see octet 3'],
    ['"\u0000"', 'see octet 2'],
    ['NaN', 'see octet 1'],
    ['{"a":"\r\n"}', 'see octet 7'],
    ['"\\x"', 'see octet 3'],
    ['"\\u12g4"', 'see octet 6'],
  ])('refuses %j and says where', (text, where) => {
    expect(() => parse(text)).toThrow(new RegExp(`^The body is not JSON: ${where}\\.$`));
  });

  it('refuses invalid UTF-8 instead of replacing it', () => {
    expect(() => readSmallBody(Buffer.from([0x22, 0xff, 0x22]), FIELDS)).toThrow('The body is not UTF-8.');
    expect(() => readSmallBody(Buffer.from('{"a":1}', 'utf16le'), FIELDS)).toThrow(
      'The body is not JSON: see octet 2.',
    );
  });

  it('refuses deep nesting, and counts none inside strings', () => {
    expect(parse(nested(32))).toBeDefined();
    expect(() => parse(nested(33))).toThrow('nested too deeply');
    expect(() => parse(nested(8000))).toThrow('nested too deeply');
    expect(() => parse(`{"a":${'{"a":'.repeat(40)}1${'}'.repeat(41)}`)).toThrow('nested too deeply');
    expect(parse(JSON.stringify(['[{'.repeat(100), '\\"[['.repeat(50)]))).toHaveLength(2);
  });

  it('keeps the named fields in order, and names the others', () => {
    const { value, ignored } = readSmallBody(Buffer.from('{"b":1,"moed":"quick","__proto__":{},"a":{"x":1}}'), FIELDS);
    expect(JSON.stringify(value)).toBe('{"b":1,"a":{"x":1}}');
    expect(ignored).toEqual(['moed', '__proto__']);
  });

  it('sets no prototype', () => {
    const body = parse('{"__proto__":{"email":"x"},"constructor":{"prototype":{"email":"x"}}}') as { email?: string };
    expect(body.email).toBeUndefined();
    expect(({} as { email?: string }).email).toBeUndefined();
  });

  it('does not repeat a refused body', () => {
    expect(() => parse('{"email":ada@example.com}')).toThrow(/^The body is not JSON: see octet 10\.$/);
  });
});
