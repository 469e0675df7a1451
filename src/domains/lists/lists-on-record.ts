import { NOTHING_ADDED } from '../../engine/signals/added-lists.js';
import type { SignalLists } from '../../engine/signals/lists.js';
import { loadSignalLists } from '../../engine/signals/load-signal-lists.js';
import { LIST_NAMES } from '../../engine/signals/refreshable-lists.js';
import type { CommandContext } from '../../platform/cli/command-context.js';
import { withinDeadline } from '../../platform/scheduling/within-deadline.js';
import { RefreshedListsRepository } from './refreshed-lists.repository.js';
import { unpackList } from './unpack-list.js';

/** An operator is waiting; a running database replies much faster. */
const DEADLINE_MS = 3000;

/**
 * The lists that processes use now, for a command that also works without a database: it then uses only the shipped
 * lists, and says so.
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
