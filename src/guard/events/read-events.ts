import { describeIssue } from '../../platform/http/describe-issue.js';
import type { GuardEvent } from './guard-event.js';
import { guardEvent } from './guard-events.request.js';

export interface ReadEvents {
  /** In the order sent. */
  readonly accepted: readonly GuardEvent[];
  readonly rejected: number;
  /** What is wrong with the first of them, never what stood in it; null: nothing is wrong with any. */
  readonly firstFault: string | null;
}

/** Reads events one by one: what is malformed is dropped, whatever is with the others (decisions 9.2). */
export function readEvents(events: readonly unknown[]): ReadEvents {
  const accepted: GuardEvent[] = [];
  let firstFault: string | null = null;
  for (const [position, sent] of events.entries()) {
    const outcome = guardEvent.safeParse(sent);
    if (outcome.success) accepted.push(outcome.data);
    else firstFault ??= faultOf(outcome.error.issues[0]!, position, events);
  }
  return { accepted, rejected: events.length - accepted.length, firstFault };
}

type Issue = Parameters<typeof describeIssue>[0];

function faultOf(issue: Issue, position: number, events: readonly unknown[]): string {
  return describeIssue({ ...issue, path: ['events', position, ...(issue.path ?? [])] }, { events });
}
