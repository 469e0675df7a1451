import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { JobLaboratoryTold } from '../processes/job-laboratory.js';

/** The laboratory for jobs, in its own process. */
export interface RunningJobLaboratory extends JobLaboratoryTold {
  readonly pid: number | undefined;
  /** Connections since the start. */
  connections(): Promise<number>;
  stop(): Promise<void>;
}

export async function startJobLaboratory(): Promise<RunningJobLaboratory> {
  const child = fork(join(__dirname, '..', 'processes', 'job-laboratory.js'));
  const ended = once(child, 'exit').then((): never => {
    throw new Error('the laboratory of jobs ended');
  });
  ended.catch(() => undefined);
  const said = async <Said>(): Promise<Said> => {
    const [what] = (await Promise.race([once(child, 'message'), ended])) as [Said];
    return what;
  };
  const told = await said<JobLaboratoryTold>();
  return {
    ...told,
    pid: child.pid,
    connections: () => {
      const answer = said<number>();
      child.send('how many?');
      return answer;
    },
    stop: async () => {
      child.disconnect();
      await ended.catch(() => undefined);
    },
  };
}
