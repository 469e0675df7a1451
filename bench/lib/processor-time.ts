import { cpuSeconds } from './cores.js';

/** Microseconds of processor time by the name of a process. */
export type ProcessorTime<Name extends string> = Readonly<Record<Name, number>>;

/** Measures the processor time that processes take while `work` runs. */
export async function processorTimeOf<Name extends string, Value>(
  pids: Readonly<Record<Name, number | undefined>>,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly took: ProcessorTime<Name> }> {
  const before = spent(pids);
  const value = await work();
  const after = spent(pids);
  const took = Object.fromEntries(namesOf(pids).map((name) => [name, after[name] - before[name]]));
  return { value, took: took as ProcessorTime<Name> };
}

function spent<Name extends string>(pids: Readonly<Record<Name, number | undefined>>): Record<Name, number> {
  const times = Object.fromEntries(namesOf(pids).map((name) => [name, cpuSeconds(pids[name]) * 1e6]));
  return times as Record<Name, number>;
}

function namesOf<Name extends string>(pids: Readonly<Record<Name, unknown>>): Name[] {
  return Object.keys(pids) as Name[];
}
