import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { buildAddedList, type AddedLists } from '../../engine/signals/added-lists.js';
import type { ListName } from '../../engine/signals/refreshable-lists.js';

/** A fetched list has at most 8 MB: more is not a list of ours. */
const MAX_UNPACKED = 32 * 1024 * 1024;

const unpack = promisify(gunzip);

/** Builds a list from its stored form, yielding to other work. @throws if the form is invalid */
export async function unpackList(name: ListName, content: Buffer): Promise<Partial<AddedLists>> {
  return buildAddedList(name, await unpack(content, { maxOutputLength: MAX_UNPACKED }), nextTurn);
}
