import { knowledgeWith, targetOf } from '../../../test/factories/job-work.js';
import { BeforeProbe } from './before-probe.js';
import { OutcomeRules } from './outcome-rules.js';

it('asks once whether a domain is a catch-all, however many of its addresses a job has', async () => {
  const asked: string[] = [];
  const terms = { mode: 'standard', chunk: 'first', greylistRetryMs: 1000 } as const;
  const before = new BeforeProbe(
    {
      record: { lookUp: async (targets) => targets.map(() => ({ check: null, stale: false })) },
      catchAll: {
        findCatchAlls: async (domains) => {
          asked.push(...domains);
          return new Map();
        },
      },
      finder: { findMailHosts: () => Promise.reject(new Error('not asked')) },
    },
    {
      ...terms,
      arrivedAt: new Date(),
      rules: new OutcomeRules({ ...terms, knowledge: knowledgeWith() }),
      requester: 'account',
      concurrency: 1,
      stop: new AbortController().signal,
      onSettled: () => undefined,
    },
  );
  const targets = Array.from({ length: 1200 }, (_, i) => targetOf(`a${i}@${i % 600}.example`));
  expect(await before.settleFromRecord(targets)).toHaveLength(1200);
  expect(asked).toHaveLength(600);
  expect(new Set(asked).size).toBe(600);
});
