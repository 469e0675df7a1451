import { readObject } from '../../platform/validation/read-object.js';
import { SmtpProbePayload, toAddition } from './smtp-probe.queue.js';

it.each([
  ['of a single', { urgency: 'single' }, false, true],
  ['of a single that has to wait', { urgency: 'single', delayMs: 1000 }, false, false],
  ['of a batch', { urgency: 'batch' }, false, false],
  ['of a batch that is overdue, and may wait by a clock that went back', { urgency: 'batch' }, true, true],
] as const)('has a probe %s served now, or not', (_, probe, overdue, hasten) => {
  expect(toAddition({ hash: 'aa', ...probe }, overdue)).toMatchObject({ payload: { hash: 'aa' }, hasten });
});

it('lets accounts take turns, and within each account singles and batches', () => {
  const added = [
    toAddition({ hash: 'aa', urgency: 'single', accountId: 'a' }, false),
    toAddition({ hash: 'bb', urgency: 'batch', accountId: 'a' }, false),
    toAddition({ hash: 'cc', urgency: 'single' }, false),
  ];
  expect(added.map(({ priority }) => priority)).toEqual([
    { flow: 'a:single' },
    { flow: 'a:batch' },
    { flow: ':single' },
  ]);
});

it('reads the known fields and ignores the rest', () => {
  const hash = 'a'.repeat(64);
  expect(readObject(SmtpProbePayload, { hash, requestId: 'r', traceparent: 't' }).value).toEqual({ hash });
});

it.each([{}, { hash: 'a'.repeat(63) }, { hash: 7 }, [], null, 'no object'])('rejects %j', (payload) => {
  expect(readObject(SmtpProbePayload, payload).value).toBeNull();
});
