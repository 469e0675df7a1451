import { PurgeTask, type Purge } from './purge-task.js';

interface DeclaredPurge {
  readonly everyMs: number;
  readonly task: string;
  readonly method: string;
}

const PURGES = Symbol('purges');

/**
 * Makes a method that deletes old rows, of any provider in a worker that serves the `maintenance` queue, a maintenance
 * task. Methods of a class that name the same task run in their order.
 */
export function PurgeEvery(everyMs: number, task: string) {
  return <T extends Purge>({ constructor }: object, method: string, _method: TypedPropertyDescriptor<T>): void => {
    const declared: DeclaredPurge = { everyMs, task, method };
    Reflect.defineMetadata(PURGES, [...declaredBy(constructor), declared], constructor);
  };
}

/** The tasks that the methods of a provider are. */
export function purgeTasksOf(provider: object): readonly PurgeTask[] {
  const methods = provider as Readonly<Record<string, Purge>>;
  const declared = declaredBy(provider.constructor);
  return [...new Set(declared.map(({ task }) => task))].map((name) => {
    const purges = declared.filter(({ task }) => task === name);
    const calls = purges.map<Purge>(
      ({ method }) =>
        (limit, goesOn) =>
          methods[method]!(limit, goesOn),
    );
    return new PurgeTask(name, Math.min(...purges.map(({ everyMs }) => everyMs)), calls);
  });
}

function declaredBy(type: object): readonly DeclaredPurge[] {
  return (Reflect.getMetadata(PURGES, type) ?? []) as readonly DeclaredPurge[];
}
