import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isObject } from '../../platform/validation/read-object.js';

/** List entries serialized at once. */
const SLICE = 500;
/** Characters after which to yield to other requests. */
const PAUSE_AFTER = 256 * 1024;

/**
 * A 32-octet hash of a valid request body, computed on the parsed JSON: white space, fields that the call does not accept
 * and those that are null, which means left out, do not matter. Yields to the event loop on large bodies.
 */
export async function requestHash(body: unknown): Promise<Buffer> {
  const hash = createHash('sha256');
  let since = 0;
  for (const piece of jsonPieces(body)) {
    if (since > PAUSE_AFTER) {
      await nextTurn();
      since = 0;
    }
    hash.update(piece);
    since += piece.length;
  }
  return hash.digest();
}

/** The text of `JSON.stringify` without fields that are null, in pieces for fields that are lists. @param body parsed JSON */
function* jsonPieces(body: unknown): Generator<string> {
  if (!isObject(body)) {
    yield JSON.stringify(body) ?? '';
    return;
  }
  let before = '{';
  for (const [name, value] of Object.entries(body)) {
    if (value === null) continue;
    yield `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (Array.isArray(value)) yield* listPieces(value);
    else yield JSON.stringify(value);
  }
  yield before === '{' ? '{}' : '}';
}

function* listPieces(list: readonly unknown[]): Generator<string> {
  let before = '[';
  for (let from = 0; from < list.length; from += SLICE) {
    yield before + JSON.stringify(list.slice(from, from + SLICE)).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
