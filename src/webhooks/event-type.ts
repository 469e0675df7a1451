/** Events that an endpoint may ask for (values of the API contract). */
export const EVENT_TYPES = ['job.completed', 'verification.completed', 'credits.low', 'guard.quota_exhausted'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** Sent to one endpoint when a person asks for it, whatever events the endpoint takes. */
export const TEST_EVENT = 'webhook.test';
export type SentType = EventType | typeof TEST_EVENT;
