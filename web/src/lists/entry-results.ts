import type { ListResults } from '../api/types';
import type { EntryResults } from './file/added-columns';

type Entry = ListResults['results'][number];

/** The columns of results while they arrive, page by page. */
export class ResultColumns implements EntryResults {
  readonly email: string[] = [];
  readonly result: string[] = [];
  readonly reason: string[] = [];
  readonly deliverable: (boolean | null)[] = [];
  readonly decision: string[] = [];
  readonly score: (number | null)[] = [];
  readonly suggestion: string[] = [];
  readonly provider: string[] = [];

  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      const { result, reason, deliverable, decision, score, suggestion, provider } = cellsOf(entry);
      this.email.push(entry.email ?? '');
      this.result.push(result);
      this.reason.push(reason);
      this.deliverable.push(deliverable);
      this.decision.push(decision);
      this.score.push(score);
      this.suggestion.push(suggestion);
      this.provider.push(provider);
    }
  }
}

function cellsOf(entry: Entry) {
  if (!('error' in entry)) {
    const { result, deliverable, score } = entry;
    return {
      result,
      reason: entry.reason ?? '',
      deliverable,
      decision: entry.decision.recommendation,
      score,
      suggestion: entry.suggested_correction ?? '',
      provider: entry.provider ?? '',
    };
  }
  if (entry.error === 'invalid_email') {
    return {
      result: 'invalid',
      reason: 'bad_syntax',
      deliverable: false,
      decision: 'deny',
      score: 0,
      suggestion: entry.suggested_correction ?? '',
      provider: '',
    };
  }
  return {
    result: '',
    reason: entry.error,
    deliverable: null,
    decision: 'review',
    score: null,
    suggestion: '',
    provider: '',
  };
}
