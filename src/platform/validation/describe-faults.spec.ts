import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
} from 'class-validator';
import { describeFaults } from './describe-faults.js';
import { MaxCharacters } from './max-characters.js';
import { readObject, readQuery } from './read-object.js';

class Request {
  @IsString()
  @MaxCharacters(10)
  email!: string;

  @IsOptional()
  @IsIn(['quick', 'standard'])
  mode: string = 'standard';

  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(5)
  count?: number;

  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(2)
  emails?: unknown[];

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @Matches(/^[a-z]+$/, { each: true, message: 'it is letters' })
  labels?: string[];
}

function described(sent: unknown): string | null {
  const { faults } = readObject(Request, sent);
  return faults && describeFaults(faults, sent);
}

describe('the faults of an object', () => {
  it.each<[unknown, string]>([
    [{}, 'email is required'],
    [{ email: 5 }, 'email must be a string'],
    [{ email: null }, 'email must be a string'],
    [{ email: 'x'.repeat(11) }, 'email must have at most 10 characters'],
    [{ email: '😀'.repeat(11) }, 'email must have at most 10 characters'],
    [{ email: '☺️'.repeat(6) }, 'email must have at most 10 characters'],
    [{ email: 'x', mode: 'slow' }, 'mode must be one of quick, standard'],
    [{ email: 'x', count: '1' }, 'count must be a number'],
    [{ email: 'x', count: 1.5 }, 'count must be a whole number'],
    [{ email: 'x', count: 0 }, 'count must be at least 1'],
    [{ email: 'x', count: 6 }, 'count must be at most 5'],
    [{ email: 'x', count: 1e300 }, 'count must be at most 5'],
    [{ email: 'x', emails: {} }, 'emails must be a list'],
    [{ email: 'x', emails: [] }, 'emails must have at least 1 entry'],
    [{ email: 'x', emails: [1, 2, 3] }, 'emails must have at most 2 entries'],
    [{ email: 'x', labels: ['a', 5, 'B'] }, 'labels[1] must be a string; labels[2] is not valid: it is letters'],
    [[], 'the body must be an object'],
    ['text', 'the body must be an object'],
    [null, 'the body must be an object'],
  ])('%j', (sent, text) => {
    expect(described(sent)).toBe(text);
  });

  it.each<[string, unknown, string]>([
    [
      'in the order of the document, and what is missing last',
      { mode: 'slow', count: 9, emails: [] },
      'mode must be one of quick, standard; count must be at most 5; emails must have at least 1 entry; email is required',
    ],
    [
      'in another order when the document has another',
      { emails: [], count: 9, email: 'x', mode: 'slow' },
      'emails must have at least 1 entry; count must be at most 5; mode must be one of quick, standard',
    ],
    [
      'in lists by position',
      { labels: ['a', 1, 2], email: 5 },
      'labels[1] must be a string; labels[2] must be a string; email must be a string',
    ],
    [
      'ten of them, and how many more',
      { email: 'x', labels: Array.from({ length: 12 }, () => 1) },
      `${Array.from({ length: 10 }, (_, i) => `labels[${i}] must be a string`).join('; ')}; and 2 more`,
    ],
    [
      'all of ten',
      { email: 'x', labels: Array.from({ length: 10 }, () => 1) },
      Array.from({ length: 10 }, (_, i) => `labels[${i}] must be a string`).join('; '),
    ],
  ])('names every field: %s', (_, sent, text) => {
    expect(described(sent)).toBe(text);
  });

  it('never repeats the value of a field', () => {
    expect(described({ email: 'x', mode: 'secret', labels: ['secret!'] })).not.toContain('secret');
  });
});

describe('the instance made from an object', () => {
  it('is an instance of the class, with defaults for missing or null fields', () => {
    expect(readObject(Request, { email: 'x', mode: null, count: null }).value).toEqual(
      Object.assign(new Request(), { email: 'x', mode: 'standard' }),
    );
  });

  it('has only the fields that the class declares', () => {
    const { value } = readObject(Request, { email: 'x', other: 1, toString: 5 });
    expect(Object.keys(value ?? {}).sort()).toEqual(['email', 'mode']);
  });

  it('reads nothing from a prototype, and changes none', () => {
    const inherited = readObject(Request, Object.create({ email: 'x' }));
    expect(inherited.faults).toEqual([{ path: ['email'], rule: 'is required' }]);
    const sent: unknown = JSON.parse('{"email":"x","__proto__":{"mode":"quick"},"constructor":{"name":"x"}}');
    const { value } = readObject(Request, sent);
    expect([value?.mode, value?.constructor, Object.getPrototypeOf(value)]).toEqual([
      'standard',
      Request,
      Request.prototype,
    ]);
  });

  it('converts the numbers of a query', () => {
    expect(readQuery(Request, { email: '5', count: '3' }).value).toMatchObject({ email: '5', count: 3 });
    const rules = ['', 'x', '0x3', '1e0', ['3', '4']].map((count) => readQuery(Request, { email: 'x', count }).faults);
    expect(rules).toEqual(rules.map(() => [{ path: ['count'], rule: 'must be a number' }]));
    expect(readQuery(Request, { email: 'x', count: '1.5' }).faults).toEqual([
      { path: ['count'], rule: 'must be a whole number' },
    ]);
  });
});
