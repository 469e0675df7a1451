import type { Retry } from '../outcomes/outcome.js';

type Positions = Pick<Retry['target'], 'positions'>;

/** Addresses to probe again through the same egress. */
export interface RetryChunk {
  readonly egress: string | null;
  /** Delay until the last of them may be probed. */
  readonly delayMs: number;
  readonly positions: readonly number[];
}

/** Groups retries by egress. */
export function retryChunks(
  retries: readonly (Omit<Retry, 'target'> & { readonly target: Positions })[],
): RetryChunk[] {
  const chunks = new Map<string | null, { delayMs: number; positions: number[] }>();
  for (const { target, afterMs, egress } of retries) {
    const chunk = chunks.get(egress) ?? { delayMs: 0, positions: [] };
    chunks.set(egress, chunk);
    chunk.delayMs = Math.max(chunk.delayMs, afterMs);
    chunk.positions.push(...target.positions);
  }
  return [...chunks].map(([egress, chunk]) => ({ egress, ...chunk }));
}
