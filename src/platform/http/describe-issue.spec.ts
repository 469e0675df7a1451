import { z } from 'zod';
import { describeIssues } from './describe-issue.js';

const schema = z.object({
  email: z.string().max(10),
  mode: z.enum(['quick', 'standard']).nullish(),
  count: z.int().min(1).max(5).optional(),
  emails: z.array(z.unknown()).min(1).max(2).optional(),
  events: z.array(z.object({ degraded: z.boolean() })).optional(),
});

function described(body: unknown): string | undefined {
  const issues = schema.safeParse(body).error?.issues;
  return issues && describeIssues(issues, body);
}

describe('describeIssues', () => {
  it.each<[unknown, string]>([
    [{}, 'email is required'],
    [{ email: 5 }, 'email must be a string'],
    [{ email: null }, 'email must be a string'],
    [{ email: 'x'.repeat(11) }, 'email must have at most 10 characters'],
    [{ email: 'x', mode: 'slow' }, 'mode must be one of quick, standard'],
    [{ email: 'x', count: 0 }, 'count must be at least 1'],
    [{ email: 'x', count: 6 }, 'count must be at most 5'],
    [{ email: 'x', emails: {} }, 'emails must be a list'],
    [{ email: 'x', emails: [] }, 'emails must have at least 1 entry'],
    [{ email: 'x', emails: [1, 2, 3] }, 'emails must have at most 2 entries'],
    [{ email: 'x', events: [{}] }, 'events[0].degraded is required'],
    [{ email: 'x', events: [{ degraded: 'no' }] }, 'events[0].degraded must be a boolean'],
    [[], 'the body must be an object'],
    ['text', 'the body must be an object'],
    [null, 'the body must be an object'],
    [undefined, 'the body is required'],
  ])('%j', (body, text) => {
    expect(described(body)).toBe(text);
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
      { events: [{ degraded: true }, { degraded: 1 }, {}, 7], email: 5 },
      'events[1].degraded must be a boolean; events[2].degraded is required; events[3] must be an object; email must be a string',
    ],
    [
      'ten of them, and how many more',
      { email: 'x', events: Array.from({ length: 12 }, () => ({})) },
      `${Array.from({ length: 10 }, (_, i) => `events[${i}].degraded is required`).join('; ')}; and 2 more`,
    ],
    [
      'all of ten',
      { email: 'x', events: Array.from({ length: 10 }, () => ({})) },
      Array.from({ length: 10 }, (_, i) => `events[${i}].degraded is required`).join('; '),
    ],
  ])('names every field: %s', (_, body, text) => {
    expect(described(body)).toBe(text);
  });

  it('never repeats what stood in the field', () => {
    expect(described({ email: 'x', mode: 'secret' })).not.toContain('secret');
  });
});
