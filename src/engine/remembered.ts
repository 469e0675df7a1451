/**
 * Memoizes `compute` for the `capacity` most recently added keys. For pure functions of short texts that cost more than
 * a look-up.
 */
export function remembered<Value>(compute: (key: string) => Value, capacity: number): (key: string) => Value {
  const known = new Map<string, Value>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined || known.has(key)) return found as Value;
    const value = compute(key);
    known.set(apart(key), value);
    if (known.size > capacity) {
      const [oldest] = known.keys();
      if (oldest !== undefined) known.delete(oldest);
    }
    return value;
  };
}

/** Copies the text: V8 keeps a whole string alive for a part of it, and a domain is part of an address. */
function apart(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le');
}
