import { Registry } from 'prom-client';
import type { Metrics } from '../platform/metrics/metrics.js';
import { VerdictMetrics } from './verdict-metrics.js';

const RESULT = { result: 'deliverable', reason: null, freshness: 'fresh' };

it('counts singles and batch entries, live and sandbox separately, and the source of live ones', async () => {
  const registry = new Registry();
  const metrics = new VerdictMetrics({ registry } as Metrics);
  metrics.count('live', RESULT);
  metrics.count('live', {
    results: [
      { ...RESULT, freshness: 'cached_recent' },
      { ...RESULT, result: 'undeliverable', reason: 'mailbox_not_found' },
      { email: 'x', error: 'invalid_email' },
    ],
  });
  metrics.count('sandbox', RESULT);
  const lines = (await registry.metrics()).split('\n').filter((line) => line.startsWith('mailvet_'));
  expect(lines).toEqual([
    'mailvet_verdicts_total{kind="live",result="deliverable",reason="none"} 2',
    'mailvet_verdicts_total{kind="live",result="undeliverable",reason="mailbox_not_found"} 1',
    'mailvet_verdicts_total{kind="live",result="none",reason="invalid_email"} 1',
    'mailvet_verdicts_total{kind="sandbox",result="deliverable",reason="none"} 1',
    'mailvet_answers_total{freshness="fresh"} 2',
    'mailvet_answers_total{freshness="cached_recent"} 1',
  ]);
});
