import { Counter, type Registry } from 'prom-client';
import type { BatchEntry } from '../verify/verify-batch.response.js';
import { VerdictMetrics } from '../verify/verdict-metrics.js';
import type { ChunkEnding } from './chunks/chunk.service.js';
import type { OutcomeSource } from './outcomes/outcome.js';

export interface JobCounters {
  readonly onEntries: (source: OutcomeSource, entries: number) => void;
  readonly onRun: (ending: ChunkEnding) => void;
  readonly onCompleted: () => void;
  readonly onResult: (result: BatchEntry) => void;
}

/** What is counted of verification jobs. */
export function countJobs(registry: Registry): JobCounters {
  const registers = [registry];
  const entries = new Counter({
    name: 'mailvet_job_entries_total',
    help: 'Entries of jobs by how they came to their outcome: recorded, dns, probe, or unavailable (given back)',
    labelNames: ['source'],
    registers,
  });
  const runs = new Counter({
    name: 'mailvet_job_chunk_runs_total',
    help: 'Runs of chunks of jobs by how they ended; all but done and given_up go on later',
    labelNames: ['ending'],
    registers,
  });
  const completed = new Counter({
    name: 'mailvet_jobs_completed_total',
    help: 'Verification jobs that were completed by this process',
    registers,
  });
  const verdicts = new VerdictMetrics(registry);
  return {
    onEntries: (source, count) => entries.inc({ source }, count),
    onRun: (ending) => runs.inc({ ending }),
    onCompleted: () => completed.inc(),
    onResult: (result) => verdicts.count('job', result),
  };
}
