import type { EntryResults } from './file/added-columns';
import type { EntryAnswer } from './list-types';

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

  add(answers: readonly EntryAnswer[]): void {
    for (const answer of answers) {
      const isMalformed = answer.error === 'invalid_email';
      this.email.push(answer.email ?? '');
      this.result.push(answer.result ?? (isMalformed ? 'invalid' : ''));
      this.reason.push(answer.reason ?? (isMalformed ? 'bad_syntax' : (answer.error ?? '')));
      this.deliverable.push(answer.deliverable ?? (isMalformed ? false : null));
      this.decision.push(decisionOf(answer) ?? (isMalformed ? 'deny' : answer.error === undefined ? '' : 'review'));
      this.score.push(answer.score ?? null);
      this.suggestion.push(answer.suggested_correction ?? '');
      this.provider.push(answer.provider ?? '');
    }
  }
}

function decisionOf({ decision }: EntryAnswer): string | undefined {
  return typeof decision === 'object' ? decision.recommendation : decision;
}
