import { describeIssues } from '../../platform/http/describe-issue.js';
import type { GuardEvent } from './guard-event.js';
import { guardEvent } from './guard-events.request.js';

export interface ReadEvents {
  /** In the order sent. */
  readonly accepted: readonly GuardEvent[];
  readonly rejected: number;
  /** What is wrong with the others, never what stood in them; null: nothing is wrong with any. */
  readonly faults: string | null;
}

/** Reads events one by one: what is malformed is dropped, whatever is with the others (decisions 9.2). */
export function readEvents(events: readonly unknown[]): ReadEvents {
  const accepted: GuardEvent[] = [];
  const issues: Issue[] = [];
  for (const [position, sent] of events.entries()) {
    const outcome = guardEvent.safeParse(sent);
    if (outcome.success) accepted.push(outcome.data);
    else issues.push(...outcome.error.issues.map((issue) => placed(issue, position)));
  }
  const faults = issues.length === 0 ? null : describeIssues(issues, { events });
  return { accepted, rejected: events.length - accepted.length, faults };
}

type Issue = Parameters<typeof describeIssues>[0][number];

function placed(issue: Issue, position: number): Issue {
  return { ...issue, path: ['events', position, ...(issue.path ?? [])] };
}
