import type { WebhookDelivery, WebhookEndpoint } from '../../api/types';

type EventType = WebhookEndpoint['events'][number];

export const EVENTS: readonly { readonly type: EventType; readonly label: string; readonly what: string }[] = [
  { type: 'job.completed', label: 'A job or list is finished', what: 'job.completed' },
  { type: 'verification.completed', label: 'A deferred verification has its verdict', what: 'verification.completed' },
  { type: 'credits.low', label: 'Credits run low', what: 'credits.low' },
  { type: 'guard.quota_exhausted', label: "The guard's quota of the month is used up", what: 'guard.quota_exhausted' },
];

const FAULTS: Readonly<Record<string, string>> = { timeout: 'no answer in time' };

/** What came of a delivery, in a few words. */
export function outcomeOf({ state, attempts, status, fault }: WebhookDelivery): string {
  if (attempts === 0) return 'Waiting';
  const answer = status === null ? (FAULTS[fault ?? ''] ?? (fault ?? 'no answer').replaceAll('_', ' ')) : `${status}`;
  if (state === 'delivered') return `Delivered (${answer})`;
  return `${state === 'due' ? 'Will be tried again' : 'Failed'} (${answer})`;
}
