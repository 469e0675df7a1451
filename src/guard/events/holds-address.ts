const ADDRESS = /[^\s@]@[^\s@.]+\.[^\s@]/;

/** True where an at sign stands, in any of the forms that stand for one: a domain has none. */
export function holdsAtSign(text: string): boolean {
  return written(text).includes('@');
}

/** True where an address stands, whatever is around it. Kept wide of `@scope/name` and of an at sign alone. */
export function holdsAddress(text: string): boolean {
  return ADDRESS.test(written(text));
}

/** Percent-encoded (also more than once), full-width and small forms as the plain sign. */
function written(text: string): string {
  return text.normalize('NFKC').replace(/%(?:25)*40/g, '@');
}
