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

/**
 * Says which field broke which rule, and never what stood in the field: `emails must have at most 100 entries`.
 * @param body what was validated, to tell a missing field from one of the wrong type
 */
export function describeIssue(issue: SchemaIssue, body: unknown): string {
  const keys = (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment));
  return `${fieldName(keys)} ${rule(issue, valueAt(body, keys) === undefined)}`;
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
