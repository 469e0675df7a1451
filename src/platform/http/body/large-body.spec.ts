import fc from 'fast-check';
import { LargeBody } from './large-body.js';

const FIELDS = ['emails', 'mode', 'events'];
const MAX_VALUES = 100_000;

function read(
  bytes: Buffer,
  cuts: readonly number[] = [],
  maxValues = MAX_VALUES,
): { value: unknown; ignored: readonly string[] } {
  const body = new LargeBody(FIELDS, maxValues);
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut > from) body.write(bytes.subarray(from, cut));
    from = Math.max(from, cut);
  }
  return body.end();
}

/** The part of a body that a call with these fields takes. */
function taken(parsed: unknown): unknown {
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return parsed;
  return Object.fromEntries(Object.entries(parsed).filter(([name]) => FIELDS.includes(name)));
}

/** The result of JSON.parse, or that it throws. */
function expected(text: string): { value: unknown } | 'refused' {
  try {
    return { value: taken(JSON.parse(text)) };
  } catch {
    return 'refused';
  }
}

function outcome(text: string, cuts: readonly number[] = []): { value: unknown } | 'refused' {
  try {
    return { value: read(Buffer.from(text), cuts).value };
  } catch (error) {
    expect((error as Error).message).toMatch(/^The body is not JSON: (see octet \d+|it ends too early)\.$/);
    return 'refused';
  }
}

/** Cuts from 3 on: the first chunk always holds more than a byte order mark. */
const cutsOf = (length: number) =>
  fc
    .array(fc.integer({ min: 4, max: Math.max(4, length) }), { maxLength: 6 })
    .map((cuts) => cuts.toSorted((a, b) => a - b));

/** Escapes some characters, so that names and texts are spelled differently. */
const escaped = (json: string) => json.replaceAll(/[em]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`);

const value = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const name = fc.oneof(
  fc.constantFrom('emails', 'mode', 'events', '__proto__', 'constructor', 'x', 'Emails', ''),
  fc.string({ unit: 'binary' }),
);
/** With duplicate names, `__proto__` among them, and white space. */
const objectText = fc
  .tuple(fc.array(fc.tuple(name, value, fc.boolean()), { maxLength: 8 }), fc.constantFrom('', ' ', '\n\t', '\r\n '))
  .map(([fields, space]) => {
    const texts = fields.map(([key, held, isEscaped]) => {
      const text = `${JSON.stringify(key)}${space}:${space}${JSON.stringify(held)}`;
      // Literals have nothing to escape.
      return isEscaped ? `${escaped(JSON.stringify(key))}:${JSON.stringify(held)}` : text;
    });
    return `${space}{${space}${texts.join(`${space},${space}`)}${space}}${space}`;
  });

describe('LargeBody', () => {
  it('parses an object like JSON.parse, wherever its bytes are split', () => {
    fc.assert(
      fc.property(
        objectText.chain((text) => fc.tuple(fc.constant(text), cutsOf(Buffer.byteLength(text)))),
        ([text, cuts]) => {
          expect(outcome(text, cuts)).toEqual(expected(text));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('reads a body that is no object like JSON.parse', () => {
    fc.assert(
      fc.property(value, fc.nat(40), (held, cut) => {
        fc.pre(typeof held !== 'object' || held === null || Array.isArray(held));
        const text = JSON.stringify(held);
        expect(outcome(text, [cut + 4])).toEqual(expected(text));
      }),
    );
  });

  it('refuses texts that JSON.parse refuses, with a byte changed, removed or inserted', () => {
    const bytes = fc.constantFrom(...'{}[]",:\\ue+-.019tfnlrsa \n\u0001x'.split(''));
    fc.assert(
      fc.property(objectText, fc.nat(), bytes, fc.constantFrom(0, 1), cutsOf(60), (text, where, byte, drop, cuts) => {
        const at = where % text.length;
        const changed = text.slice(0, at) + byte + text.slice(at + drop);
        // Skip changes that cut a character in half.
        fc.pre(Buffer.from(changed).toString() === changed);
        expect(outcome(changed, cuts)).toEqual(expected(changed));
      }),
      { numRuns: 1000 },
    );
  });

  const numbers = [
    '0',
    '-0',
    '1e5',
    '1E+5',
    '-1.5e-3',
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '1e+',
    '+1',
    '0x1',
    '1_0',
    '--1',
    '1.5.5',
    '1e5.5',
    '9'.repeat(2000),
  ];
  const words = [
    'true',
    'false',
    'null',
    'tru',
    'truee',
    'nul',
    'True',
    'NaN',
    'undefined',
    '""',
    '"\\x"',
    '"\\u12g4"',
    '"\\ud800"',
    '"\u0000"',
    '"\\u0000"',
    '"',
  ];
  it.each(
    [...numbers, ...words].flatMap((text) => [
      text,
      `[${text}]`,
      `{"mode":${text}}`,
      `{"x":${text}}`,
      `{"emails":[${text},${text}]}`,
    ]),
  )('agrees with JSON.parse on %.40s', (text) => {
    expect(outcome(text)).toEqual(expected(text));
    for (const cut of [4, 5, 6, 11]) expect(outcome(text, [cut])).toEqual(expected(text));
  });

  it('builds long lists in order, also with very long entries', () => {
    const emails = Array.from({ length: 5000 }, (_, i) =>
      i % 1000 === 7 ? 'ü'.repeat(50_000) : `user-${i}@company.example`,
    );
    const text = JSON.stringify({ emails, mode: 'standard' });
    const bytes = Buffer.from(text);
    const cuts = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) => i * 65_536);
    expect(read(bytes, cuts).value).toEqual({ emails, mode: 'standard' });
  });

  it('names the first ten ignored fields, and keeps none of their values', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 12 }, (_, i) => [`${i}-${'long'.repeat(100)}`, { emails: [1] }]),
    );
    const { value: kept, ignored } = read(
      Buffer.from(JSON.stringify({ ...fields, ['y'.repeat(5000)]: 1, emails: [] })),
    );
    expect(kept).toEqual({ emails: [] });
    expect(ignored).toEqual(
      Object.keys(fields)
        .slice(0, 10)
        .map((key) => key.slice(0, 64)),
    );
  });

  it('sets no prototype', () => {
    const { value: kept } = read(Buffer.from('{"__proto__":{"emails":["x"]},"mode":{"__proto__":{"y":1}}}'));
    expect(Object.getPrototypeOf(kept)).toBe(Object.prototype);
    expect((kept as { emails?: unknown }).emails).toBeUndefined();
    expect(({} as { y?: unknown }).y).toBeUndefined();
  });

  it('ignores one byte order mark', () => {
    expect(read(Buffer.from('\uFEFF{"mode":1}')).value).toEqual({ mode: 1 });
    expect(outcome('\uFEFF\uFEFF{"mode":1}')).toBe('refused');
  });

  it('refuses invalid UTF-8, in ignored fields too, wherever it is split', () => {
    const bytes = Buffer.concat([Buffer.from('{"x":"ü€😀'), Buffer.from([0xc3]), Buffer.from('"}')]);
    for (let cut = 4; cut <= bytes.length; cut++) expect(() => read(bytes, [cut])).toThrow('The body is not UTF-8.');
    const good = Buffer.from('{"mode":"ü€😀"}');
    for (let cut = 4; cut <= good.length; cut++) expect(read(good, [cut]).value).toEqual({ mode: 'ü€😀' });
    expect(() => read(good.subarray(0, good.length - 4))).toThrow('The body is not UTF-8.');
  });

  it('limits depth, and values and names together, before building them', () => {
    const nested = (depth: number) => `{"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(read(Buffer.from(nested(31))).value).toEqual({});
    expect(() => read(Buffer.from(nested(32)))).toThrow('The body is nested too deeply.');
    // The object, the name, the list, and its seven entries.
    const many = Buffer.from('{"x":[{},{},{},{},{},{},{}]}');
    expect(read(many, [], 10).value).toEqual({});
    expect(() => read(many, [], 9)).toThrow('the body must have at most 9 values and names of fields');
  });
});
