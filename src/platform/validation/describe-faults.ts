import type { Fault } from './fault.js';

/** Maximum number of fields in one message. */
const MAX_NAMED = 10;

type Path = Fault['path'];

/**
 * Names for each field the rule that it breaks, in the order in which the fields were sent; missing ones come last.
 * @param sent the object that the paths lead through
 * @param whole the name of that object
 */
export function describeFaults(faults: readonly Fault[], sent: unknown, whole = 'the body'): string {
  const placed = faults.map((fault) => ({ fault, place: placeIn(sent, fault.path) }));
  placed.sort((a, b) => comparePlaces(a.place, b.place));
  const named = placed
    .slice(0, MAX_NAMED)
    .map(({ fault: { path, rule } }) => `${path.length === 0 ? whole : fieldName(path)} ${rule}`);
  const more = placed.length - named.length;
  return `${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}`;
}

/** The position of a field, level by level. */
function placeIn(sent: unknown, path: Path): number[] {
  let value = sent;
  return path.map((key) => {
    const index = indexOf(value, key);
    value = (value as Record<string | number, unknown> | null | undefined)?.[key];
    return index < 0 ? Number.MAX_SAFE_INTEGER : index;
  });
}

function indexOf(value: unknown, key: string | number): number {
  if (Array.isArray(value)) return Number(key);
  return typeof value === 'object' && value !== null ? Object.keys(value).indexOf(String(key)) : -1;
}

function comparePlaces(a: readonly number[], b: readonly number[]): number {
  const differing = a.findIndex((index, level) => index !== b[level]);
  return differing < 0 ? a.length - b.length : a[differing]! - (b[differing] ?? -1);
}

function fieldName(path: Path): string {
  return path.map((key, i) => (typeof key === 'number' ? `[${key}]` : `${i > 0 ? '.' : ''}${key}`)).join('');
}
