/** The value of a JSON column, which MySQL returns as a value and MariaDB as text. Its type is not checked. */
export function readJson<T extends object | null>(stored: T | string): T {
  return typeof stored === 'string' ? (JSON.parse(stored) as T) : stored;
}
