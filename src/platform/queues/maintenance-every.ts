import { groupBy } from '../collections/group-by.js';

/** Most rows of a statement that deletes old ones, which holds its locks for some milliseconds. */
const ROWS = 500;
/** The other tasks of the queue wait for one that deletes old rows. */
const MAX_PURGE_MS = 10_000;

/** Work that repeats, in one worker process at a time. */
export interface MaintenanceTask {
  /** Unique: the task's name in the queue. */
  readonly name: string;
  readonly everyMs: number;
  readonly run: Run;
}

/**
 * Does the work that is due, in small transactions. May run early, and twice at once.
 * @param signal aborted when the process stops: the next run does the rest
 */
type Run = (signal: AbortSignal) => Promise<void>;

/**
 * Deletes up to `limit` old rows.
 * @param goesOn to be asked before each transaction if there are several
 * @returns how many rows it deleted; `limit`: there may be more
 */
type Purge = (limit: number, goesOn: () => boolean) => Promise<number>;

interface DeclaredMethod {
  readonly everyMs: number;
  readonly task: string;
  readonly method: string;
  readonly kind: 'run' | 'purge';
}

type DecoratorOf<Method> = <T extends Method>(
  prototype: object,
  method: string,
  given: TypedPropertyDescriptor<T>,
) => void;

const METHODS = Symbol('maintenance');

/**
 * Makes a method a maintenance task, of any provider in a worker that serves the `maintenance` queue.
 * @param task lowercase words joined by `-`
 */
export const MaintenanceEvery = (everyMs: number, task: string): DecoratorOf<Run> =>
  declare({ everyMs, task, kind: 'run' });

/**
 * Makes a method a task that deletes old rows by small statements, until none is left, the process stops or the time is
 * up. The next run continues. Methods of a class that name the same task run in their order.
 */
export const PurgeEvery = (everyMs: number, task: string): DecoratorOf<Purge> =>
  declare({ everyMs, task, kind: 'purge' });

/** The tasks that the methods of a provider are. */
export function maintenanceTasksOf(provider: object): readonly MaintenanceTask[] {
  const methods = provider as Readonly<Record<string, Run & Purge>>;
  return [...groupBy(declaredBy(provider.constructor), ({ task }) => task)].map(([name, declared]) => ({
    name,
    everyMs: Math.min(...declared.map(({ everyMs }) => everyMs)),
    run: async (signal) => {
      const until = performance.now() + MAX_PURGE_MS;
      const goesOn = (): boolean => !signal.aborted && performance.now() < until;
      for (const { kind, method } of declared) {
        if (kind === 'run') await methods[method]!(signal);
        else while (goesOn() && (await methods[method]!(ROWS, goesOn)) >= ROWS);
      }
    },
  }));
}

function declare(declared: Omit<DeclaredMethod, 'method'>): DecoratorOf<never> {
  return ({ constructor }, method) =>
    Reflect.defineMetadata(METHODS, [...declaredBy(constructor), { ...declared, method }], constructor);
}

function declaredBy(type: object): readonly DeclaredMethod[] {
  return (Reflect.getMetadata(METHODS, type) ?? []) as readonly DeclaredMethod[];
}
