/** What is used of an issue of the schema library; anything of it may be missing. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
  readonly code?: string;
  readonly expected?: string;
  readonly origin?: string;
  readonly minimum?: number | bigint;
  readonly maximum?: number | bigint;
  readonly values?: readonly unknown[];
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: [' character', ' characters'],
  array: [' entry', ' entries'],
};
const TYPES: Readonly<Record<string, string>> = { array: 'a list', object: 'an object', int: 'a whole number' };

/** Fields that are named in one message. */
const MAX_NAMED = 10;

/** Says of each field what rule it broke, in the order of the document; those that are missing come last. */
export function describeIssues(issues: readonly SchemaIssue[], body: unknown): string {
  const byField = new Map<string, SchemaIssue>();
  for (const issue of issues) {
    const field = fieldName(keysOf(issue));
    if (!byField.has(field)) byField.set(field, issue);
  }
  const placed = [...byField.values()].map((issue) => ({ issue, place: placeIn(body, keysOf(issue)) }));
  placed.sort((a, b) => comparePlaces(a.place, b.place));
  const named = placed.slice(0, MAX_NAMED).map(({ issue }) => describeIssue(issue, body));
  const more = placed.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** Where a field stands, level by level. */
function placeIn(body: unknown, keys: readonly PropertyKey[]): number[] {
  let value = body;
  return keys.map((key) => {
    const index = indexOf(value, key);
    value = (value as Record<PropertyKey, unknown> | null | undefined)?.[key];
    return index < 0 ? Number.MAX_SAFE_INTEGER : index;
  });
}

function indexOf(value: unknown, key: PropertyKey): number {
  if (Array.isArray(value)) return Number(key);
  return typeof value === 'object' && value !== null ? Object.keys(value).indexOf(String(key)) : -1;
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((index, level) => index !== b[level]);
  return differing < 0 ? a.length - b.length : a[differing]! - (b[differing] ?? -1);
}

/**
 * Says which field broke which rule, and never what stood in the field: `emails must have at most 100 entries`.
 * @param body what was validated, to tell a missing field from one of the wrong type
 */
function describeIssue(issue: SchemaIssue, body: unknown): string {
  const keys = keysOf(issue);
  return `${fieldName(keys)} ${rule(issue, valueAt(body, keys) === undefined)}`;
}

function keysOf({ path = [] }: SchemaIssue): PropertyKey[] {
  return path.map((segment) => (typeof segment === 'object' ? segment.key : segment));
}

function rule(issue: SchemaIssue, missing: boolean): string {
  if (missing) return 'is required';
  const verb = UNITS[issue.origin ?? ''] === undefined ? 'be' : 'have';
  if (issue.code === 'invalid_type') return `must be ${TYPES[issue.expected ?? ''] ?? `a ${issue.expected}`}`;
  if (issue.code === 'too_small') return `must ${verb} at least ${amount(issue.minimum, issue.origin)}`;
  if (issue.code === 'too_big') return `must ${verb} at most ${amount(issue.maximum, issue.origin)}`;
  if (issue.code === 'invalid_value') return `must be one of ${(issue.values ?? []).join(', ')}`;
  return `is not valid: ${issue.message}`;
}

function amount(limit: number | bigint | undefined, origin = ''): string {
  const [one, many] = UNITS[origin] ?? ['', ''];
  return `${limit}${limit === 1 ? one : many}`;
}

function fieldName(keys: readonly PropertyKey[]): string {
  if (keys.length === 0) return 'the body';
  return keys.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${String(key)}`)).join('');
}

function valueAt(body: unknown, keys: readonly PropertyKey[]): unknown {
  return keys.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], body);
}
