/** Where to go after the sign-in: a path of this very page, whatever the address asks for. */
export function nextPath(next: string | null): string {
  return next !== null && /^\/(?![/\\])[^\\]*$/.test(next) && !next.startsWith('/sign-in') ? next : '/';
}
