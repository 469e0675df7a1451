import { Injectable } from '@nestjs/common';
import { Histogram, type Counter, type Registry } from 'prom-client';
import { BoundedReading } from '../metrics-endpoint/bounded-reading.js';
import { Metrics } from '../metrics/metrics.js';
import { showFigures } from '../metrics/show-gauge.js';
import { newCounter } from '../metrics/new-counter.js';
import { FailedJobsRepository } from './failed-jobs.repository.js';
import { QueueAges } from './queue-ages.js';
import { QueueConnection } from './queue-connection.js';
import { QueueDepths } from './queue-depths.js';
import { QUEUE_NAMES, type QueueName } from '../config/queue-names.js';

const SECONDS = [0.05, 0.2, 0.5, 1, 2, 5, 10, 20, 40, 60];

const JOB_OUTCOMES = ['over', 'again', 'failed', 'poison', 'lost'] as const;
/** The end of one run of a job. `lost`: Redis has deleted the job's data. */
export type JobOutcome = (typeof JOB_OUTCOMES)[number];

/** Metrics of queues, one instance per process for all processors. */
@Injectable()
export class QueueMetrics {
  private readonly runs: Counter<'queue' | 'outcome'>;
  private readonly duration: Histogram<'queue'>;
  private readonly exceptions: Counter<'queue' | 'what'>;

  constructor(
    { registry }: Metrics,
    depths: QueueDepths,
    ages: QueueAges,
    failedJobs: FailedJobsRepository,
    connection: QueueConnection,
  ) {
    const runs =
      'Runs of jobs by how they ended: over, again (to be run again later), failed, poison (could not be read), lost (Redis had deleted what it was about)';
    this.runs = newCounter(registry, 'mailvet_jobs_total', runs, { queue: QUEUE_NAMES, outcome: JOB_OUTCOMES });
    this.duration = new Histogram({
      name: 'mailvet_job_seconds',
      help: 'How long runs of jobs took',
      labelNames: ['queue'],
      buckets: SECONDS,
      registers: [registry],
    });
    const exceptions =
      'Jobs that Redis did not take and that the worker ran by itself (run_here), or that had lost their place and were put back (put_back)';
    this.exceptions = newCounter(registry, 'mailvet_queue_exceptions_total', exceptions, { queue: [], what: [] });
    connection.onException = (queue, what, jobs) => this.exceptions.inc({ queue, what }, jobs);
    showDepths(registry, depths);
    showAges(registry, ages);
    showFailed(registry, failedJobs);
  }

  /** Records a run that has ended. */
  ran(queue: QueueName, outcome: JobOutcome, seconds: number): void {
    this.runs.inc({ queue, outcome });
    this.duration.observe({ queue }, seconds);
  }
}

/** Shows nothing while Redis does not answer. */
function showDepths(registry: Registry, depths: QueueDepths): void {
  showFigures(registry, 'mailvet_queue_jobs', 'Jobs on the queues by state', ['queue', 'state'], async () =>
    [...((await depths.read()) ?? [])].flatMap(([queue, { waiting, active, delayed }]) => [
      [{ queue, state: 'waiting' }, waiting],
      [{ queue, state: 'active' }, active],
      [{ queue, state: 'delayed' }, delayed],
    ]),
  );
}

/** Shows nothing while Redis does not answer. */
function showAges(registry: Registry, ages: QueueAges): void {
  const reading = new BoundedReading(() => ages.read());
  const help = 'How long the job has waited that was put on a queue first and has never run; 0: none waits';
  showFigures(registry, 'mailvet_queue_oldest_waiting_seconds', help, ['queue'], async () =>
    [...((await reading.read()) ?? [])].map(([queue, ageMs]) => [{ queue }, ageMs / 1000]),
  );
}

/** Shows nothing while the database does not answer. */
function showFailed(registry: Registry, failedJobs: FailedJobsRepository): void {
  const reading = new BoundedReading(() => failedJobs.counts());
  const help = 'Jobs that failed for good, as far back as they are kept';
  showFigures(registry, 'mailvet_failed_jobs', help, ['queue'], async () => {
    const read = await reading.read();
    return read === null ? [] : QUEUE_NAMES.map((queue) => [{ queue }, read.get(queue) ?? 0]);
  });
}
