/** The value of the cookie of this name; null without one, and with two, of which nobody knows which is ours. */
export function cookieNamed(name: string, header: string | undefined): string | null {
  const start = `${name}=`;
  const found = (header ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(start));
  return found.length === 1 ? found[0]!.slice(start.length) : null;
}

/** A `Set-Cookie` that no script reads and no other site sends along with a write. */
export function cookieLine(
  name: string,
  value: string,
  { maxAgeSeconds, isSecure }: { readonly maxAgeSeconds: number; readonly isSecure: boolean },
): string {
  return `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
}
