import { packSmallGroups, type SmallGroup } from './pack-small-groups.js';
import { groupBy } from '../../platform/collections/group-by.js';

/** Distinct addresses of one domain that need a probe. */
export interface DomainWork<Target> {
  readonly domain: string;
  /** Group of its mail hosts (`mailHostGroup`); hosts that could not be looked up form one group. */
  readonly group: string;
  readonly targets: readonly Target[];
}

export interface PlannedChunk<Target> {
  /** null: several small groups. */
  readonly group: string | null;
  readonly targets: readonly Target[];
  /** Position among the chunks of its group, from 1. */
  readonly rank: number;
}

export interface ChunkTerms {
  /** Never splits a domain, however big: a result for one recipient may count for the whole domain (enhanced). */
  readonly keepDomains: boolean;
  /** Number of chunks that run at once. */
  readonly atOnce: number;
}

/** Recipients per chunk: they share a few connections, and a few transactions. */
export const CHUNK_SIZE = 100;
/** Chunks of a group that run at once: more would only wait for each other's connections. */
export const OPEN_OF_GROUP = 4;
/** A group with fewer recipients shares a chunk with others. */
const SMALL_GROUP = 25;

/**
 * Splits the work of a job into chunks of one group of mail hosts each, and keeps domains whole where they fit. The
 * chunks are sorted round-robin: the first chunk of every group, then the second ones, and so on, so that a big domain
 * delays nobody.
 * @param work in the order of the job
 */
export function planChunks<Target>(
  work: readonly DomainWork<Target>[],
  { keepDomains, atOnce }: ChunkTerms,
): PlannedChunk<Target>[] {
  const chunks: PlannedChunk<Target>[] = [];
  const small: SmallGroup<Target>[] = [];
  for (const [group, domains] of groupBy(work, (domain) => domain.group)) {
    const targets = domains.flatMap((domain) => domain.targets);
    if (targets.length >= SMALL_GROUP) chunks.push(...cut(group, domains, keepDomains));
    else small.push({ group, targets });
  }
  for (const together of packSmallGroups(small, { others: chunks.length, atOnce, most: CHUNK_SIZE })) {
    const [only] = together;
    const group = together.length === 1 ? only!.group : null;
    chunks.push({ group, targets: together.flatMap(({ targets }) => targets), rank: 1 });
  }
  // The sort is stable: within a rank, chunks keep the order of the job.
  return chunks.sort((one, other) => one.rank - other.rank);
}

/** Splits one group into chunks. */
function cut<Target>(group: string, domains: readonly DomainWork<Target>[], keep: boolean): PlannedChunk<Target>[] {
  const pieces: Target[][] = [];
  let open: Target[] = [];
  for (const { targets } of domains) {
    if (open.length > 0 && open.length + targets.length > CHUNK_SIZE) {
      pieces.push(open);
      open = [];
    }
    if (targets.length <= CHUNK_SIZE || keep) {
      open = [...open, ...targets];
      continue;
    }
    // Equal parts: a small last chunk would cost a connection of its own.
    const size = Math.ceil(targets.length / Math.ceil(targets.length / CHUNK_SIZE));
    for (let from = 0; from < targets.length; from += size) pieces.push(targets.slice(from, from + size));
  }
  if (open.length > 0) pieces.push(open);
  return pieces.map((targets, i) => ({ group, targets, rank: i + 1 }));
}
