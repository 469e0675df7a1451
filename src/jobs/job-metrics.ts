import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../platform/metrics/metrics.js';
import type { BatchEntry } from '../verify/verify-batch.response.js';
import { VerdictMetrics } from '../verify/verdict-metrics.js';
import type { OutcomeSource } from './outcomes/outcome.js';

/** How a chunk run ended. */
export type ChunkEnding = 'done' | 'busy' | 'left_alone' | 'failed' | 'long' | 'stopped' | 'given_up';

/** Counts verification jobs, their chunks, entries and results. */
@Injectable()
export class JobMetrics {
  private readonly entries: Counter<'source'>;
  private readonly runs: Counter<'ending'>;
  private readonly completed: Counter;
  private readonly verdicts: VerdictMetrics;

  constructor(metrics: Metrics) {
    const registers = [metrics.registry];
    this.entries = new Counter({
      name: 'mailvet_job_entries_total',
      help: 'Entries of jobs by how they came to their outcome: recorded, dns, probe, or unavailable (given back)',
      labelNames: ['source'],
      registers,
    });
    this.runs = new Counter({
      name: 'mailvet_job_chunk_runs_total',
      help: 'Runs of chunks of jobs by how they ended; all but done and given_up go on later',
      labelNames: ['ending'],
      registers,
    });
    this.completed = new Counter({
      name: 'mailvet_jobs_completed_total',
      help: 'Verification jobs that were completed by this process',
      registers,
    });
    this.verdicts = new VerdictMetrics(metrics);
  }

  readonly onEntries = (source: OutcomeSource, count: number): void => this.entries.inc({ source }, count);
  readonly onRun = (ending: ChunkEnding): void => this.runs.inc({ ending });
  readonly onCompleted = (): void => this.completed.inc();
  readonly onResult = (result: BatchEntry): void => this.verdicts.count('job', result);
}
