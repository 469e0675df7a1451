import { NOTHING_ADDED } from '../engine/signals/added-lists.js';
import type { CuratedLists, SignalLists } from '../engine/signals/lists.js';
import { loadSignalLists } from '../engine/signals/load-signal-lists.js';
import { LIST_NAMES } from '../engine/signals/refreshable-lists.js';
import { NO_CURATED_LISTS, StaticCuratedLists } from '../engine/signals/static-curated-lists.js';
import type { CommandContext } from '../platform/cli/command-context.js';
import { withinDeadline } from '../platform/scheduling/within-deadline.js';
import { CuratedTablesRepository, NEVER_READ } from './curated/curated-tables.repository.js';
import { RefreshedListsRepository } from './lists/refreshed-lists.repository.js';
import { unpackList } from './lists/unpack-list.js';

export interface ListsOnRecord {
  readonly lists: SignalLists;
  readonly curated: CuratedLists;
}

/** An operator is waiting; a running database replies much faster. */
const DEADLINE_MS = 5000;

/**
 * The lists that processes use now, for a command that also works without a database: it then uses only the shipped
 * lists, and says so.
 */
export async function listsOnRecord(context: CommandContext): Promise<ListsOnRecord> {
  try {
    return await withinDeadline(read(context), DEADLINE_MS);
  } catch {
    context.say('The database cannot be read: lists that were fetched, and those of the operator, are left out.');
    return { lists: loadSignalLists(), curated: NO_CURATED_LISTS };
  }
}

async function read(context: CommandContext): Promise<ListsOnRecord> {
  const database = await context.database();
  const rows = new RefreshedListsRepository(database);
  let added = NOTHING_ADDED;
  for (const name of LIST_NAMES) {
    const content = (await rows.read(name))?.content ?? null;
    if (content !== null) added = { ...added, ...(await unpackList(name, content)) };
  }
  const { tables } = await new CuratedTablesRepository(database).readAfter(NEVER_READ);
  return { lists: loadSignalLists().with(added), curated: new StaticCuratedLists(tables) };
}
