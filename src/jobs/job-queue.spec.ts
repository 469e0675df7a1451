import { toAdditions } from './job-queue.js';

const jobId = '01a2206c-61d3-7139-883f-755e052a295e';

it('has what is overdue served now, though it waits on the queue by a clock that went back', () => {
  const overdue = { chunks: [{ jobId, number: 7, priority: 3 }], toPlan: [jobId], toShape: [jobId] };
  expect(toAdditions(overdue)).toEqual([
    { payload: { kind: 'chunk', jobId, chunk: 7 }, priority: 3, hasten: true },
    { payload: { kind: 'plan', jobId }, priority: 1, hasten: true },
    { payload: { kind: 'shape', jobId }, priority: 1, hasten: true },
  ]);
});
