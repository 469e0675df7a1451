import { IsString } from 'class-validator';
import type { WorkQueue } from './work-queue.js';

export class MaintenancePayload {
  /** The job's own name; the job has no other data. */
  @IsString()
  readonly task!: string;
}

/** Maintenance tasks: a job is named after its task. */
export const MAINTENANCE_QUEUE: WorkQueue<MaintenancePayload> = {
  name: 'maintenance',
  payload: MaintenancePayload,
  jobId: ({ task }) => task,
};
