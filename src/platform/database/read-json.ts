/** The value of a JSON column, which MySQL returns as a value and MariaDB as text. Its type is not checked. */
export function readJson<T extends object | null>(stored: T | string): T {
  return typeof stored === 'string' ? (JSON.parse(stored) as T) : stored;
}

/** The value of a JSON column that may hold anything; null for text that is no JSON. */
export function readAnyJson(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored;
  try {
    return JSON.parse(stored);
  } catch {
    return null;
  }
}
