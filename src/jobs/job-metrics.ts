import { Injectable } from '@nestjs/common';
import type { Counter } from 'prom-client';
import { Metrics } from '../platform/metrics/metrics.js';
import type { BatchEntry } from '../verify/verify-batch.response.js';
import { VerdictMetrics } from '../verify/verdict-metrics.js';
import type { OutcomeSource } from './outcomes/outcome.js';
import { newCounter } from '../platform/metrics/new-counter.js';

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
    const { registry } = metrics;
    const entries =
      'Entries of jobs by how they came to their outcome: recorded, dns, probe, or unavailable (given back)';
    this.entries = newCounter(registry, 'mailvet_job_entries_total', entries, { source: [] });
    const runs = 'Runs of chunks of jobs by how they ended; all but done and given_up go on later';
    this.runs = newCounter(registry, 'mailvet_job_chunk_runs_total', runs, { ending: [] });
    const completed = 'Verification jobs that were completed by this process';
    this.completed = newCounter(registry, 'mailvet_jobs_completed_total', completed, {});
    this.verdicts = new VerdictMetrics(metrics);
  }

  readonly onEntries = (source: OutcomeSource, count: number): void => this.entries.inc({ source }, count);
  readonly onRun = (ending: ChunkEnding): void => this.runs.inc({ ending });
  readonly onCompleted = (): void => this.completed.inc();
  readonly onResult = (result: BatchEntry): void => this.verdicts.count('job', result);
}
