import type { components } from './schema.js';

type Schemas = components['schemas'];

/** A result, or why there is none: `'error' in entry` tells them apart. */
export type Entry = Schemas['Entry'];
export type BatchResults = Schemas['BatchResults'];
export type CreateWebhookRequest = Schemas['CreateWebhookRequest'];
export type CreditsStatus = Schemas['CreditsStatus'];
export type Domain = Schemas['Domain'];
export type ErrorCode = Schemas['ErrorCode'];
export type GuardEvent = Schemas['GuardEvent'];
export type GuardEventsResponse = Schemas['GuardEventsResponse'];
export type Job = Schemas['Job'];
export type JobList = Schemas['JobList'];
/** How far a job is. The list of jobs has its name and its counts too. */
export type JobProgress = Omit<Job, 'results'>;
export type LookUpDomainRequest = Schemas['LookUpDomainRequest'];
export type NewWebhook = Schemas['NewWebhook'];
export type SubmitJobRequest = Schemas['SubmitJobRequest'];
export type VerifyBatchRequest = Schemas['VerifyBatchRequest'];
export type VerifyResult = Schemas['VerifyResult'];
export type VerifySingleRequest = Schemas['VerifySingleRequest'];
export type Webhook = Schemas['Webhook'];
export type WebhookList = Schemas['WebhookList'];
