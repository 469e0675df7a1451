import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Entries of a list in one piece. */
const SLICE = 500;
/** Characters after which others are served. */
const PAUSE_AFTER = 256 * 1024;

/**
 * 32 octets that tell one request body from another: of its JSON value as it was read, so that white space does not matter, nor do
 * fields that the call does not take. A large body takes several turns of the event loop.
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

/** The text of `JSON.stringify`, of which the lists that are fields come in pieces. @param body was JSON */
function* jsonPieces(body: unknown): Generator<string> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    yield JSON.stringify(body) ?? '';
    return;
  }
  let before = '{';
  for (const [name, value] of Object.entries(body)) {
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
