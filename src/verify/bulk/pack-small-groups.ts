/** Recipients of one group of mail hosts. */
export interface SmallGroup<Target> {
  readonly group: string;
  readonly targets: readonly Target[];
}

export interface PackSmallGroupsOptions {
  /** Chunks of other groups of the same job. */
  readonly others: number;
  /** Number of chunks that probe at once. */
  readonly atOnce: number;
  /** Maximum recipients in an enlarged chunk. */
  readonly most: number;
}

/** Maximum groups per chunk: about as many connections are open at once. */
const GROUPS_TOGETHER = 10;
const TOGETHER = 60;

/**
 * Packs groups that are too small for their own chunk together, in order: about sixty recipients from at most ten
 * groups. If only a few chunks remain for a last round, most probe slots would idle; those chunks are spread over the
 * others instead. One more group hardly slows a chunk, and a round is saved.
 */
export function packSmallGroups<Target>(
  groups: readonly SmallGroup<Target>[],
  { others, atOnce, most }: PackSmallGroupsOptions,
): SmallGroup<Target>[][] {
  const usual = filled(groups);
  const lastRound = (others + usual.length) % atOnce;
  const fewer = usual.length - lastRound;
  if (lastRound === 0 || lastRound > atOnce / 2 || fewer <= 0) return usual;
  const spread = evenly(groups, fewer);
  return spread.every((chunk) => chunk.length <= GROUPS_TOGETHER && sizeOf(chunk) <= most) ? spread : usual;
}

function filled<Target>(groups: readonly SmallGroup<Target>[]): SmallGroup<Target>[][] {
  const chunks: SmallGroup<Target>[][] = [];
  let open: SmallGroup<Target>[] = [];
  let size = 0;
  for (const group of groups) {
    if (open.length === 0 || size + group.targets.length > TOGETHER || open.length === GROUPS_TOGETHER) {
      open = [];
      size = 0;
      chunks.push(open);
    }
    open.push(group);
    size += group.targets.length;
  }
  return chunks;
}

/** Assigns each group to the chunk where its first recipient falls when recipients are divided evenly. */
function evenly<Target>(groups: readonly SmallGroup<Target>[], count: number): SmallGroup<Target>[][] {
  const chunks: SmallGroup<Target>[][] = Array.from({ length: count }, () => []);
  const total = sizeOf(groups);
  let before = 0;
  for (const group of groups) {
    chunks[Math.floor((before * count) / total)]!.push(group);
    before += group.targets.length;
  }
  return chunks.filter(({ length }) => length > 0);
}

function sizeOf(groups: readonly SmallGroup<unknown>[]): number {
  return groups.reduce((sum, { targets }) => sum + targets.length, 0);
}
