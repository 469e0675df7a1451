import type { DatabaseTarget } from '../config/database-url.js';
import { isDiskFull } from './database-errors.js';

/** A write that fails is soon followed by others, until there is space. */
const REMEMBERED_MS = 15_000;

/** Whether the database has lately refused to write for want of space. */
export class DiskSpace {
  private refusedAt = Number.NEGATIVE_INFINITY;

  get isFull(): boolean {
    return performance.now() - this.refusedAt < REMEMBERED_MS;
  }

  /** @param error that a statement ended with, of whatever kind */
  saw(error: unknown): void {
    if (isDiskFull(error)) this.refusedAt = performance.now();
  }
}

const known = new WeakMap<DatabaseTarget, DiskSpace>();

/** What all connections to this target know of its disk. */
export function diskOf(target: DatabaseTarget): DiskSpace {
  const disk = known.get(target) ?? new DiskSpace();
  known.set(target, disk);
  return disk;
}
