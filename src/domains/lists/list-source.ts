import { createHash } from 'node:crypto';

/** The source of a list, as stored. */
export interface ListSource {
  /** For operators: without the query, which may contain a token. */
  readonly shown: string;
  /** SHA-256 of the whole URL: a new URL means a new list, whose size is not compared with the old one. */
  readonly hash: Buffer;
}

const MAX_SHOWN = 300;

export function listSource({ href, origin, pathname, search }: URL): ListSource {
  const shown = `${origin}${pathname}${search === '' ? '' : '?…'}`;
  return { shown: shown.slice(0, MAX_SHOWN), hash: createHash('sha256').update(href).digest() };
}
