import { AsyncLocalStorage } from 'node:async_hooks';

/** Fields of every log line that some work writes, such as a job's id. Never a key or an address. */
export type LogContext = Readonly<Record<string, string | number>>;

const contexts = new AsyncLocalStorage<LogContext>();

export function inLogContext<T>(context: LogContext, work: () => T): T {
  return contexts.run(context, work);
}

/** Empty outside of any work. */
export function logContext(): LogContext {
  return contexts.getStore() ?? {};
}
