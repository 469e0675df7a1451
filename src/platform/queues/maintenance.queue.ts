import { IsString } from 'class-validator';
import type { WorkQueue } from './work-queue.js';

export class MaintenancePayload {
  /** The name of the job itself, which carries nothing. */
  @IsString()
  readonly task!: string;
}

/** Maintenance tasks: a job is named after its task. */
export const MAINTENANCE_QUEUE: WorkQueue<MaintenancePayload> = {
  name: 'maintenance',
  payload: MaintenancePayload,
  jobId: ({ task }) => task,
};

/** A job that ends leaves nothing: what a task could not do it does next time. */
export const MAINTENANCE_JOB_OPTIONS = { removeOnComplete: true, removeOnFail: true, attempts: 1 } as const;
