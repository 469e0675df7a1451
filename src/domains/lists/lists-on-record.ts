import { NOTHING_ADDED } from '../../engine/signals/added-lists.js';
import type { SignalLists } from '../../engine/signals/lists.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import { LIST_NAMES } from '../../engine/signals/refreshable-lists.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { RefreshedListsRepository } from './refreshed-lists.repository.js';
import { unpackList } from './unpack-list.js';

/** For a person who waits; a database that is there answers in a fraction of it. */
const DEADLINE_MS = 3000;

/**
 * The lists that processes use now, for a command that does without a database where there is none: the shipped ones alone then,
 * which is said.
 */
export async function listsOnRecord(context: CommandContext): Promise<SignalLists> {
  try {
    return await withinDeadline(read(context), DEADLINE_MS);
  } catch {
    context.say('The database cannot be read: lists that were fetched are left out.');
    return loadSignalLists();
  }
}

async function read(context: CommandContext): Promise<SignalLists> {
  const rows = new RefreshedListsRepository(await context.database());
  let added = NOTHING_ADDED;
  for (const name of LIST_NAMES) {
    const content = (await rows.read(name))?.content ?? null;
    if (content !== null) added = { ...added, ...(await unpackList(name, content)) };
  }
  return loadSignalLists().with(added);
}
