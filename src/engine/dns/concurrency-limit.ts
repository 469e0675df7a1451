import { mayTakePlace } from '../fair-share.js';

/** The tasks of one requester. */
interface Own {
  running: number;
  /** Waiting tasks, in the order they came. */
  readonly line: Set<() => void>;
}

/**
 * Runs a limited number of tasks at once. Requesters take turns, and those of one start in the order they came; a
 * requester whose tasks are slow leaves some places for the others. Each task ends by one call of the function that
 * `acquire` returned, whether it still waits or already runs.
 *
 * Unlike a semaphore with promises, it starts a task within the call if there is room, and anybody may give up the task
 * at any moment without knowing whether it runs.
 */
export class ConcurrencyLimit {
  private free: number;
  private readonly own = new Map<string, Own>();
  /** Requesters with waiting tasks, the one that started one longest ago first. */
  private readonly waiting = new Set<string>();

  constructor(places: number) {
    this.free = places;
  }

  /** Calls `start` now or when there is room. @returns a function that ends the task; later calls do nothing */
  acquire(requester: string, start: () => void): () => void {
    const own = this.ownOf(requester);
    let inside = false;
    let left = false;
    const goIn = (): void => {
      inside = true;
      own.running += 1;
      this.free -= 1;
      start();
    };
    const leave = (): void => {
      if (left) return;
      left = true;
      if (inside) {
        own.running -= 1;
        this.free += 1;
      } else {
        own.line.delete(goIn);
      }
      this.tidy(requester, own);
      if (inside) this.serve();
    };
    if (own.line.size === 0 && this.hasRoomFor(own)) {
      goIn();
    } else {
      own.line.add(goIn);
      this.waiting.add(requester);
    }
    return leave;
  }

  private ownOf(requester: string): Own {
    const known = this.own.get(requester);
    if (known !== undefined) return known;
    const own: Own = { running: 0, line: new Set() };
    this.own.set(requester, own);
    return own;
  }

  private hasRoomFor({ running }: Own): boolean {
    return mayTakePlace(running, this.free);
  }

  private serve(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) next();
  }

  /** Takes the task whose turn it is out of its line. */
  private next(): (() => void) | undefined {
    for (const requester of this.waiting) {
      const own = this.own.get(requester)!;
      if (!this.hasRoomFor(own)) continue;
      const [task] = own.line;
      own.line.delete(task!);
      this.waiting.delete(requester);
      if (own.line.size > 0) this.waiting.add(requester);
      return task;
    }
    return undefined;
  }

  private tidy(requester: string, { running, line }: Own): void {
    if (line.size > 0) return;
    this.waiting.delete(requester);
    if (running === 0) this.own.delete(requester);
  }
}
