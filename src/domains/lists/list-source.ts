import { createHash } from 'node:crypto';

/** Where a list is fetched from, as it is stored. */
export interface ListSource {
  /** For people: without the query, which may hold a token. */
  readonly shown: string;
  /** SHA-256 of the whole URL: another one is another list, whose size says nothing of the one before. */
  readonly hash: Buffer;
}

const MAX_SHOWN = 300;

export function listSource({ href, origin, pathname, search }: URL): ListSource {
  const shown = `${origin}${pathname}${search === '' ? '' : '?…'}`;
  return { shown: shown.slice(0, MAX_SHOWN), hash: createHash('sha256').update(href).digest() };
}
