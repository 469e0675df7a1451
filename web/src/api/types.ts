import type { components } from './schema';

/** What the console's API sends, by the names that the page gives it. */
type Schemas = components['schemas'];

export type Role = Schemas['MemberResponse']['role'];
export type VerdictCounts = Schemas['ListSummary']['verdicts'];
export type Verdict = keyof VerdictCounts;
export type Mode = NonNullable<Schemas['Verify']['mode']>;

export type Options = Schemas['OptionsResponse'];
export type SignInAnswer = Schemas['SignInResponse'];
export type WelcomeAnswer = Schemas['LinkResponse'];

export type User = Schemas['UserResponse'];
export type Membership = Schemas['AccountOfUser'];
export type Me = Schemas['MeResponse'];
export type Sessions = Schemas['SessionsResponse'];
export type Session = Schemas['SessionResponse'];
export type TotpSecret = Schemas['TotpSecretResponse'];
export type RecoveryCodes = Schemas['RecoveryCodesResponse'];

export type Overview = Schemas['Overview'];
export type Quota = Schemas['QuotaUse'];

export type VerifyResult = Schemas['VerifyResult'];
export type VerifyAnswer = Schemas['VerifyAnswer'];

export type List = Schemas['List'];
export type ListMode = List['mode'];
export type ListPage = Schemas['ListPage'];
export type ListSummary = Schemas['ListSummary'];
export type ListResults = Schemas['ListResults'];
export type SubmittedPart = Schemas['SubmittedPartAnswer'];

export type DomainObject = Schemas['Domain'];
export type DomainAnswer = Schemas['DomainPage'];

export type ApiKey = Schemas['Key'];
export type ApiKeys = Schemas['KeyList'];
/** A key that was made just now, by itself or in place of an old one. */
export type NewApiKey = Schemas['NewKey'] & Partial<Schemas['RotatedKey']>;

export type Property = Schemas['Property'];
export type Properties = Schemas['PropertyList'];
export type GuardReport = Schemas['GuardPage'];

export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookEndpoints = Schemas['WebhookEndpointList'];
export type NewWebhookEndpoint = Schemas['NewWebhookEndpoint'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookDeliveryPage = Schemas['WebhookDeliveryPage'];
export type OpenedWebhookDelivery = Schemas['OpenedWebhookDelivery'];

export type LedgerEntry = Schemas['LedgerEntry'];
export type LedgerKind = LedgerEntry['kind'];
export type LedgerPage = Schemas['Statement'];
export type Allowance = Schemas['Allowance'];
export type AllowanceMonth = Schemas['AllowanceMonth'];

export type Member = Schemas['MemberResponse'];
export type Members = Schemas['MembersResponse'];
export type Invitation = Schemas['InvitationResponse'];
export type NewMember = Schemas['AddedMemberResponse'];
export type LinkToPassOn = Schemas['LinkToPassOn'];
export type AuditEntry = Schemas['AuditEntryResponse'];
export type AuditPage = Schemas['AuditResponse'];

export type AdminAccount = Schemas['AdminAccount'];
export type AdminAccountPage = Schemas['AdminAccountPage'];
export type AdminAccountDetail = Schemas['AdminAccountDetail'];
export type Plans = Schemas['PlanList'];
export type Queues = Schemas['QueuesResponse'];
export type Retried = Schemas['RetriedResponse'];
export type SystemReport = Schemas['SystemReport'];
