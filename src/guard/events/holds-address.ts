const ADDRESS = /[^\s@]@[^\s@.]+\.[^\s@]/;

/** True if the text contains an at sign in any form, which no domain does. */
export function holdsAtSign(text: string): boolean {
  return written(text).includes('@');
}

/** True if the text contains an address. `@scope/name` and a lone at sign are none. */
export function holdsAddress(text: string): boolean {
  return ADDRESS.test(written(text));
}

/** Replaces percent-encoded (also repeatedly), full-width and small at signs by the plain one. */
function written(text: string): string {
  return text.normalize('NFKC').replace(/%(?:25)*40/g, '@');
}
