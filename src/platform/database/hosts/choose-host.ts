/** What a host of the database says about itself. */
export type HostState =
  | {
      readonly kind: 'writable';
      /** Id of the Galera cluster that it is a synced node of; null: none. */ readonly cluster: string | null;
    }
  | { readonly kind: 'read-only' }
  /** A Galera node that has lost its cluster, or does not have all of its data yet. */
  | { readonly kind: 'not ready' }
  | { readonly kind: 'silent'; readonly why: string };

export interface SeenHost {
  readonly name: string;
  readonly state: HostState;
}

export interface HostChoice {
  /** Name of the host that connections go to; null: none can be chosen. */
  readonly host: string | null;
  /** Why there is none, for operators. */
  readonly trouble: string | null;
  /** Names of hosts whose connections must end at once. */
  readonly leave: readonly string[];
}

/**
 * Chooses the host to write to: the only one that can be written to, or the first synced node of a Galera cluster. Two
 * writable hosts that are not nodes of one cluster would go separate ways (split brain), so none is chosen.
 *
 * Connections to a host that is silent stay where no other is chosen: it may only be slow, and if it is gone, they fail
 * by themselves. Those to another node of the cluster end when their transaction has ended.
 */
export function chooseHost(seen: readonly SeenHost[]): HostChoice {
  const writable = seen.filter(({ state }) => state.kind === 'writable');
  const clusters = new Set(writable.map(({ name, state }) => (state.kind === 'writable' && state.cluster) || name));
  if (clusters.size > 1) {
    const names = writable.map(({ name }) => name).join(' and ');
    return {
      host: null,
      trouble: `split brain: ${names} can be written to; leave one of them, and make the others read-only`,
      leave: seen.map(({ name }) => name),
    };
  }
  const chosen = writable[0]?.name ?? null;
  return {
    host: chosen,
    trouble: chosen === null ? `no host can be written to: ${seen.map(describe).join(', ')}` : null,
    leave: seen.filter(({ state }) => mustLeave(state, chosen)).map(({ name }) => name),
  };
}

function mustLeave({ kind }: HostState, chosen: string | null): boolean {
  return kind === 'silent' ? chosen !== null : kind !== 'writable';
}

function describe({ name, state }: SeenHost): string {
  return state.kind === 'silent' ? `${name} cannot be reached (${state.why})` : `${name} is ${state.kind}`;
}
