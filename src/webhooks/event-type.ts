/** Events that an endpoint may ask for (values of the API contract). */
export const EVENT_TYPES = ['job.completed', 'verification.completed', 'credits.low', 'guard.quota_exhausted'] as const;
export type EventType = (typeof EVENT_TYPES)[number];
