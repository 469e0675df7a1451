import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { buildAddedList, type AddedLists } from '../../engine/signals/added-lists.js';
import type { ListName } from '../../engine/signals/refreshable-lists.js';

/** Of what was fetched at most 8 MB: more is no list of ours. */
const MAX_UNPACKED = 32 * 1024 * 1024;

const unpack = promisify(gunzip);

/** Builds a list from the form that it is stored in, while others have their turn. @throws for what is no such form */
export async function unpackList(name: ListName, content: Buffer): Promise<Partial<AddedLists>> {
  return buildAddedList(name, await unpack(content, { maxOutputLength: MAX_UNPACKED }), nextTurn);
}
