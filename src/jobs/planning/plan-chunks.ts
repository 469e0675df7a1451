import { packSmallGroups, type SmallGroup } from './pack-small-groups.js';

/** Distinct addresses of one domain that a mail host has to be asked about. */
export interface DomainWork<Target> {
  readonly domain: string;
  /** Of its mail hosts (`mailHostGroup`); those that could not be looked up are one. */
  readonly group: string;
  readonly targets: readonly Target[];
}

export interface PlannedChunk<Target> {
  /** null: of several small groups. */
  readonly group: string | null;
  readonly targets: readonly Target[];
  /** Its place among the chunks of its group, from 1. */
  readonly rank: number;
}

export interface ChunkTerms {
  /** No domain is cut, however big: what one recipient shows of it counts for all (enhanced). */
  readonly keepDomains: boolean;
  /** Chunks that are worked on at once. */
  readonly atOnce: number;
}

/** Recipients worked on together: over a few connections, and stored in a few transactions. */
export const CHUNK_SIZE = 100;
/** A group of fewer than that shares a chunk with others. */
const SMALL_GROUP = 25;

/**
 * Cuts the work of a job into chunks of one group of mail hosts each, whole domains kept together where they fit, and puts
 * them in the order in which they are to be worked on: the first chunk of every group, then every second one, and so on, so
 * that a big domain holds up nobody.
 * @param work in the order of the job
 */
export function planChunks<Target>(
  work: readonly DomainWork<Target>[],
  { keepDomains, atOnce }: ChunkTerms,
): PlannedChunk<Target>[] {
  const groups = new Map<string, DomainWork<Target>[]>();
  for (const domain of work) {
    const own = groups.get(domain.group);
    if (own === undefined) groups.set(domain.group, [domain]);
    else own.push(domain);
  }
  const chunks: PlannedChunk<Target>[] = [];
  const small: SmallGroup<Target>[] = [];
  for (const [group, domains] of groups) {
    const targets = domains.flatMap((domain) => domain.targets);
    if (targets.length >= SMALL_GROUP) chunks.push(...cut(group, domains, keepDomains));
    else small.push({ group, targets });
  }
  for (const together of packSmallGroups(small, { others: chunks.length, atOnce, most: CHUNK_SIZE })) {
    const [only] = together;
    const group = together.length === 1 ? only!.group : null;
    chunks.push({ group, targets: together.flatMap(({ targets }) => targets), rank: 1 });
  }
  // Stable: within a rank, the order of the job.
  return chunks.sort((one, other) => one.rank - other.rank);
}

/** The chunks of one group. */
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
    // In equal parts: a last one of a few recipients would cost a connection for itself.
    const size = Math.ceil(targets.length / Math.ceil(targets.length / CHUNK_SIZE));
    for (let from = 0; from < targets.length; from += size) pieces.push(targets.slice(from, from + size));
  }
  if (open.length > 0) pieces.push(open);
  return pieces.map((targets, i) => ({ group, targets, rank: i + 1 }));
}
