import { readObject } from '../platform/validation/read-object.js';
import { JOB_BATCH_QUEUE, JobBatchPayload, toAdditions } from './job-batch.queue.js';

const jobId = '01a2206c-61d3-7139-883f-755e052a295e';

it('derives job ids from the payload, in a form that BullMQ accepts', () => {
  const ids = [
    JOB_BATCH_QUEUE.jobId({ kind: 'plan', jobId }),
    JOB_BATCH_QUEUE.jobId({ kind: 'chunk', jobId, chunk: 7 }),
    JOB_BATCH_QUEUE.jobId({ kind: 'shape', jobId }),
  ];
  expect(ids).toEqual([`plan-${jobId}`, `chunk-${jobId}-7`, `shape-${jobId}`]);
  for (const id of ids) expect(id).not.toMatch(/:|^\d+$/);
});

it.each([
  { kind: 'plan', jobId },
  { kind: 'chunk', jobId, chunk: 0 },
  { kind: 'shape', jobId },
])('reads %j, as workers of the release before have it too', (payload) => {
  const { value } = readObject(JobBatchPayload, { ...payload, requestId: 'r', traceparent: 't' });
  expect(value).toEqual(payload);
});

it.each([
  { kind: 'plan', jobId: 'x' },
  { kind: 'chunk', jobId },
  { kind: 'chunk', jobId, chunk: -1 },
  { kind: 'chunk', jobId, chunk: '1' },
  { kind: 'dance', jobId },
  null,
])('cannot read %j', (payload) => {
  expect(readObject(JobBatchPayload, payload).value).toBeNull();
});

it('serves overdue work now, even if the queue delays it after a clock change', () => {
  const overdue = { chunks: [{ jobId, number: 7, priority: 3 }], toPlan: [jobId], toWrite: [jobId] };
  expect(toAdditions(overdue)).toEqual([
    { payload: { kind: 'chunk', jobId, chunk: 7 }, priority: 3, hasten: true },
    { payload: { kind: 'plan', jobId }, priority: 1, hasten: true },
    { payload: { kind: 'shape', jobId }, priority: 1, hasten: true },
  ]);
});
