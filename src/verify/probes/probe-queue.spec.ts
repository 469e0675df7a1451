import type { Addition } from '../../platform/queues/work-queue.js';
import { ProbeQueue } from './probe-queue.js';
import type { SmtpProbePayload } from './smtp-probe.queue.js';

it.each([
  ['of a single', { urgency: 'single' }, false, true],
  ['of a single that has to wait', { urgency: 'single', delayMs: 1000 }, false, false],
  ['of a batch', { urgency: 'batch' }, false, false],
  ['of a batch that is overdue, and may wait by a clock that went back', { urgency: 'batch' }, true, true],
] as const)('has a probe %s served now, or not', (_, probe, overdue, hasten) => {
  const added: Addition<SmtpProbePayload>[] = [];
  new ProbeQueue({ add: (additions) => void added.push(...additions) }).add([{ hash: 'aa', ...probe }], overdue);
  expect(added).toMatchObject([{ payload: { hash: 'aa' }, hasten }]);
});

it('has accounts take turns, and of each of them singles and batches', () => {
  const added: Addition<SmtpProbePayload>[] = [];
  new ProbeQueue({ add: (additions) => void added.push(...additions) }).add([
    { hash: 'aa', urgency: 'single', accountId: 'a' },
    { hash: 'bb', urgency: 'batch', accountId: 'a' },
    { hash: 'cc', urgency: 'single' },
  ]);
  expect(added.map(({ priority }) => priority)).toEqual([
    { flow: 'a:single' },
    { flow: 'a:batch' },
    { flow: ':single' },
  ]);
});
