import type { Retry } from '../outcomes/outcome.js';

/** Addresses that are asked about once more, by the same way out. */
export interface RetryChunk {
  readonly egress: string | null;
  /** Until the last of them may be asked. */
  readonly delayMs: number;
  readonly positions: readonly number[];
}

/** Puts together what goes by the same way out. */
export function retryChunks(retries: readonly Retry[]): RetryChunk[] {
  const chunks = new Map<string | null, { delayMs: number; positions: number[] }>();
  for (const { target, afterMs, egress } of retries) {
    const chunk = chunks.get(egress) ?? { delayMs: 0, positions: [] };
    chunks.set(egress, chunk);
    chunk.delayMs = Math.max(chunk.delayMs, afterMs);
    chunk.positions.push(...target.positions);
  }
  return [...chunks].map(([egress, chunk]) => ({ egress, ...chunk }));
}
