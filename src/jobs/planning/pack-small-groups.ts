/** Recipients of one group of mail hosts. */
export interface SmallGroup<Target> {
  readonly group: string;
  readonly targets: readonly Target[];
}

export interface PackSmallGroupsOptions {
  /** Chunks of other groups of the same job. */
  readonly others: number;
  /** Chunks that ask at once. */
  readonly atOnce: number;
  /** The most recipients of a chunk, where it is made larger than usual. */
  readonly most: number;
}

/** Groups in one chunk: about as many connections are open at once. */
const GROUPS_TOGETHER = 10;
const TOGETHER = 60;

/**
 * Puts groups that are too small for a chunk of their own together, in their order: about sixty recipients, of ten groups at
 * most. Where that leaves a few chunks for a last round, while most of those who ask would look on, these are spread over the
 * others: hosts take about as long for one group more beside the others, and a round is saved.
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

/** Each group into the chunk that its first recipient falls into when all are counted through. */
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
