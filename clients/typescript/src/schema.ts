/* Made of docs/openapi.json by `npm run openapi`; do not edit. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A result, or why there is none: `error` is there only without a result, `result` only with one. */
        readonly Entry: components["schemas"]["VerifyResult"] | components["schemas"]["EntryError"];
        /** @description A probe that passed. */
        readonly Health: {
            /**
             * @description Everything else is not a 200.
             * @enum {string}
             */
            readonly status: "ok";
        };
        /** @description Ready, and what else is to be known. */
        readonly Readiness: {
            /**
             * @description `degraded`: Redis answers and takes no writes, so that every process counts and works by itself; or the database does, and calls that charge get 503. Requests may be sent all the same.
             * @enum {string}
             */
            readonly status: "ok" | "degraded";
            /** @description By server or part of the process. An open set. */
            readonly details: {
                readonly [key: string]: unknown;
            };
            /** @description What an operator should mend. */
            readonly warnings: readonly string[];
        };
        /** @description The balance. Gifted credits are spent first. */
        readonly Credits: {
            /** @description Both together. */
            readonly total: number;
            /** @description Bought. */
            readonly purchased: number;
            /** @description Given. */
            readonly gifted: number;
        };
        /** @description As the `X-RateLimit-*` headers of the same answer. */
        readonly RateLimit: {
            /** @description Requests a minute. */
            readonly limit: number;
            /** @description Requests that may be made now; null when it is not known. */
            readonly remaining: number | null;
            /** @description Unix second at which all are back; null when it is not known. */
            readonly reset: number | null;
        };
        /** @description An allowance of the month (UTC). */
        readonly Allowance: {
            /** @description A month; null: unlimited. */
            readonly limit: number | null;
            /** @description Left this month; null: unlimited. */
            readonly remaining: number | null;
            /**
             * Format: date-time
             * @description When the next month begins. UTC, ISO 8601 with milliseconds.
             */
            readonly resets_at: string;
        };
        /** @description What an account has. */
        readonly CreditsStatus: {
            /** @description Name of the plan. */
            readonly plan: string;
            /** @description Asked with a test key. */
            readonly sandbox: boolean;
            readonly credits: components["schemas"]["Credits"];
            readonly rate_limit: components["schemas"]["RateLimit"];
            /** @description Free verifies of the month (UTC). */
            readonly free_verifies: components["schemas"]["Allowance"];
            /** @description Remote decisions of guards, of the month (UTC). */
            readonly guard: components["schemas"]["Allowance"];
        };
        /** @description One address. */
        readonly VerifySingleRequest: {
            /** @description Any text; what is no address is `bad_syntax`. */
            readonly email: string;
            /**
             * @description `quick`: syntax and DNS; `standard` (null means it): asks the mail host; `enhanced`: detects catch-all.
             * @enum {string|null}
             */
            readonly mode?: "quick" | "standard" | "enhanced" | null;
            /** @description true: answer at once; what needs a mail host is `verification_pending`. Ignored in quick mode. */
            readonly async?: boolean | null;
            /** @description Seconds: only a younger check answers from the cache; 0: check again. */
            readonly max_age?: number | null;
        };
        /** @description What is known of a domain. */
        readonly Domain: {
            /** @description The domain behind the address. */
            readonly name: string;
            /** @description What it is; null when it is not classified. */
            readonly types: readonly ("company" | "custom" | "disposable" | "education" | "freemail" | "government" | "isp" | "public")[] | null;
            /** @description Reputation, higher is better; null when it is not scored yet. */
            readonly score: number | null;
            /** @description There is an SPF record. */
            readonly spf: boolean | null;
            /** @description A DKIM key stands at one of the common selectors; false proves nothing. */
            readonly dkim: boolean | null;
            /** @description There is a DMARC record. */
            readonly dmarc: boolean | null;
            /**
             * @description The DMARC policy that applies.
             * @enum {string|null}
             */
            readonly dmarc_policy: "none" | "quarantine" | "reject" | null;
            /** @description There is an MTA-STS policy. */
            readonly mta_sts: boolean | null;
            /** @description There is a TLS-RPT record. */
            readonly tls_rpt: boolean | null;
            /** @description There is a BIMI record. */
            readonly bimi: boolean | null;
            /** @description The mail hosts have DANE/TLSA records. */
            readonly dane: boolean | null;
            /** @description DNS blacklists that list its mail hosts or itself. */
            readonly blacklists: number | null;
            /**
             * @description What DNSSEC validation says.
             * @enum {string|null}
             */
            readonly dnssec: "secure" | "insecure" | "bogus" | null;
            /** @description A CAA record says who may issue certificates. */
            readonly caa: boolean | null;
            /** @description On the blocklist: treat its addresses as unsafe. */
            readonly blocked: boolean;
            /** @description Why, for the public. */
            readonly blocked_label: string | null;
        };
        /** @description Advice: the policy is yours. */
        readonly Decision: {
            /**
             * @description What to do.
             * @enum {string}
             */
            readonly recommendation: "allow" | "deny" | "review";
            /** @description The signals that led to it. An open set. */
            readonly reasons: readonly string[];
        };
        /** @description What was found out about an address. */
        readonly VerifyResult: {
            /** @description The address, trimmed and lowercased. */
            readonly email: string;
            /**
             * @description The verdict.
             * @enum {string}
             */
            readonly result: "valid" | "invalid" | "catch_all" | "disposable" | "role" | "unknown";
            /** @description true: the mailbox accepted the probe; false: it provably takes no mail; null: not proven, which is not bad. */
            readonly deliverable: boolean | null;
            /**
             * @description Why; null: not probed, or recorded before reasons were.
             * @enum {string|null}
             */
            readonly reason: "bad_syntax" | "no_mx" | "mailbox_accepts" | "mailbox_not_found" | "disposable_provider" | "role_address" | "catch_all_domain" | "accept_all_provider" | "greylisted" | "smtp_timeout" | "smtp_unreachable" | "verification_pending" | "blocked_domain" | "spam_trap" | null;
            /** @description A mail host with a public address exists. */
            readonly mx: boolean;
            /** @description The best mail host. */
            readonly mx_record: string | null;
            /** @description Throw-away provider. */
            readonly disposable: boolean;
            /** @description Shared mailbox, such as `info@`. */
            readonly role: boolean;
            /** @description The host accepts any recipient. */
            readonly catch_all: boolean;
            /** @description Freemail provider; null when the domain is not classified. */
            readonly free_email: boolean | null;
            /** @description Alias or forwarding service. */
            readonly relay: boolean;
            /** @description Which. */
            readonly relay_provider: string | null;
            /** @description Parked domain. */
            readonly parked: boolean;
            /** @description Known or suspected spam trap. */
            readonly spam_trap: boolean;
            /**
             * @description How that is known.
             * @enum {string|null}
             */
            readonly spam_trap_type: "known_trap_domain" | "reputation_heuristic" | null;
            /** @description The address that was probably meant. */
            readonly suggested_correction: string | null;
            /**
             * @description Of enhanced calls: what the mail host said.
             * @enum {string|null}
             */
            readonly smtp_diagnosis: "accepted" | "mailbox_full" | "mailbox_disabled" | "mailbox_not_found" | "greylist_deferred" | "policy_block" | null;
            /** @description Higher is safer to send to. */
            readonly score: number | null;
            /**
             * @description Whether it was checked for this call.
             * @enum {string}
             */
            readonly freshness: "fresh" | "cached_recent" | "cached_stale_refreshed";
            /**
             * Format: date-time
             * @description When the check ran, not when it was asked for. UTC, ISO 8601 with milliseconds.
             */
            readonly checked_at: string | null;
            /** @description Null until the domain was crawled. */
            readonly domain: components["schemas"]["Domain"] | null;
            readonly decision: components["schemas"]["Decision"];
            /** @description A guard's call past the monthly quota: no check was made. */
            readonly degraded: boolean;
        };
        /** @description Addresses. */
        readonly VerifyBatchRequest: {
            /** @description An entry that is no address is an error of that entry alone. */
            readonly emails: readonly string[];
            /**
             * @description `quick`: syntax and DNS; `standard` (null means it): asks the mail host; `enhanced`: detects catch-all.
             * @enum {string|null}
             */
            readonly mode?: "quick" | "standard" | "enhanced" | null;
            /** @description Seconds: only a younger check answers from the cache; 0: check again. */
            readonly max_age?: number | null;
        };
        /** @description Stands in place of a result. */
        readonly EntryError: {
            /** @description As it was sent; null when it was no text. */
            readonly email: string | null;
            /**
             * @description Why there is no result. `insufficient_credits` in batches only.
             * @enum {string}
             */
            readonly error: "invalid_email" | "insufficient_credits" | "verify_unavailable";
        };
        /** @description Results of a batch. */
        readonly BatchResults: {
            /** @description In the order sent. */
            readonly results: readonly components["schemas"]["Entry"][];
        };
        /** @description A domain. */
        readonly LookUpDomainRequest: {
            /** @description Such as `example.com`; never an address. */
            readonly domain: string;
        };
        /** @description Addresses. */
        readonly SubmitJobRequest: {
            /** @description An entry that is no address is an error of that entry alone. */
            readonly emails: readonly string[];
            /**
             * @description `standard` (null means it) or `enhanced`, for all of them.
             * @enum {string|null}
             */
            readonly mode?: "standard" | "enhanced" | null;
            /** @description What you call the job: 1 to 100 printable characters. The list of jobs shows it. */
            readonly name?: string | null;
            /** @description False: no event `job.completed` is sent. Null means true. */
            readonly webhook?: boolean | null;
        };
        /**
         * @description Whether the results are there.
         * @enum {string}
         */
        readonly JobStatus: "processing" | "completed";
        /** @description How far it is. */
        readonly JobProgress: {
            /** @description Addresses. */
            readonly total: number;
            /** @description Those whose outcome is final. */
            readonly done: number;
        };
        /** @description A job. `results` is left out until it is completed. */
        readonly Job: {
            /**
             * Format: uuid
             * @description UUID.
             */
            readonly id: string;
            /** @description Whether the results are there. */
            readonly status: components["schemas"]["JobStatus"];
            /** @description Addresses submitted. */
            readonly total: number;
            /**
             * Format: date-time
             * @description When it was submitted. UTC, ISO 8601 with milliseconds.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Seven days later: then it is gone. UTC, ISO 8601 with milliseconds.
             */
            readonly expires_at: string;
            readonly progress: components["schemas"]["JobProgress"];
            /** @description An entry for each address, in the order sent. Left out while `status` is `processing`. */
            readonly results?: readonly components["schemas"]["Entry"][];
        };
        /** @description Entries of a job by verdict. */
        readonly VerdictCounts: {
            readonly valid: number;
            readonly invalid: number;
            readonly catch_all: number;
            readonly disposable: number;
            readonly role: number;
            readonly unknown: number;
            /** @description Entries with an error instead of a verdict. */
            readonly error: number;
        };
        /** @description A job in a list of jobs: without its results. */
        readonly JobSummary: {
            /**
             * Format: uuid
             * @description UUID.
             */
            readonly id: string;
            /** @description Whether the results are there. */
            readonly status: components["schemas"]["JobStatus"];
            /** @description Addresses submitted. */
            readonly total: number;
            /**
             * Format: date-time
             * @description When it was submitted. UTC, ISO 8601 with milliseconds.
             */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Seven days later: then it is gone. UTC, ISO 8601 with milliseconds.
             */
            readonly expires_at: string;
            readonly progress: components["schemas"]["JobProgress"];
            /** @description The `name` of the submit. */
            readonly name: string | null;
            /** @description Null while it is under way, and for a job that was completed before jobs had counts. */
            readonly counts: components["schemas"]["VerdictCounts"] | null;
        };
        /** @description A page of jobs. */
        readonly JobList: {
            /** @description Newest first. */
            readonly jobs: readonly components["schemas"]["JobSummary"][];
            /** @description `cursor` of the next page; null: this is the last. */
            readonly next_cursor: string | null;
        };
        /** @description A decision of a guard. Unknown fields are ignored; null equals leaving a field out. */
        readonly GuardEvent: {
            /** @description A domain, never an address: an event with an at sign here is rejected. */
            readonly domain?: string | null;
            /** @description What the guard found. The values of `result` are reported by name. */
            readonly verdict: string;
            /** @description What it did: `allow`, `deny` and `review` are reported by name. */
            readonly action: string;
            /** @description Why. Never an address. */
            readonly reasons: readonly string[];
            /** @description It had to decide without what it usually asks. */
            readonly degraded: boolean;
            /** @description `local` and `remote` are reported by name. */
            readonly source: string;
            /** @description Its name. */
            readonly integration?: string | null;
            /** @description Version of its library. */
            readonly lib_version?: string | null;
            /** @description Version of the description it follows. */
            readonly spec_version?: string | null;
            /** @description Key of a property of the account. */
            readonly property_key?: string | null;
        };
        /** @description A report. */
        readonly GuardEventsRequest: {
            /** @description Decisions. */
            readonly events: readonly components["schemas"]["GuardEvent"][];
        };
        /** @description What became of a report. */
        readonly GuardEventsResponse: {
            /** @description Events that were stored. */
            readonly accepted: number;
            /** @description Malformed events, which were dropped. */
            readonly rejected: number;
        };
        /** @description A new endpoint. */
        readonly CreateWebhookRequest: {
            /**
             * Format: uri
             * @description Begins with `https://`, without credentials and fragment.
             */
            readonly url: string;
            /** @description Events to send. */
            readonly events: readonly ("job.completed" | "verification.completed" | "credits.low" | "guard.quota_exhausted")[];
            /**
             * @description If sent, the mode of the key.
             * @enum {string|null}
             */
            readonly mode?: "live" | "test" | null;
            /** @description Credits. `credits.low` is sent when the balance falls under it. */
            readonly low?: number | null;
        };
        /** @description A new endpoint, with its secret. */
        readonly NewWebhook: {
            /**
             * Format: uuid
             * @description UUID.
             */
            readonly id: string;
            /**
             * Format: uri
             * @description Where events are sent.
             */
            readonly url: string;
            /** @description Events that are sent. */
            readonly events: readonly ("job.completed" | "verification.completed" | "credits.low" | "guard.quota_exhausted")[];
            /**
             * @description Events of live keys, or of test keys.
             * @enum {string}
             */
            readonly mode: "live" | "test";
            /** @description `credits.low` is sent when the balance falls under it; null: not at all. */
            readonly low: number | null;
            /**
             * Format: date-time
             * @description When it was switched off: by a person, by a 410 of the receiver, or after five days of failures. Null: it is on.
             */
            readonly disabled_at: string | null;
            /**
             * Format: date-time
             * @description UTC, ISO 8601 with milliseconds.
             */
            readonly created_at: string;
            /** @description Verifies signatures. It is shown only here. */
            readonly secret: string;
        };
        /** @description An endpoint, without its secret. */
        readonly Webhook: {
            /**
             * Format: uuid
             * @description UUID.
             */
            readonly id: string;
            /**
             * Format: uri
             * @description Where events are sent.
             */
            readonly url: string;
            /** @description Events that are sent. */
            readonly events: readonly ("job.completed" | "verification.completed" | "credits.low" | "guard.quota_exhausted")[];
            /**
             * @description Events of live keys, or of test keys.
             * @enum {string}
             */
            readonly mode: "live" | "test";
            /** @description `credits.low` is sent when the balance falls under it; null: not at all. */
            readonly low: number | null;
            /**
             * Format: date-time
             * @description When it was switched off: by a person, by a 410 of the receiver, or after five days of failures. Null: it is on.
             */
            readonly disabled_at: string | null;
            /**
             * Format: date-time
             * @description UTC, ISO 8601 with milliseconds.
             */
            readonly created_at: string;
        };
        /** @description The endpoints of the account, for the mode of the key. */
        readonly WebhookList: {
            /** @description Oldest first. */
            readonly webhooks: readonly components["schemas"]["Webhook"][];
        };
        /** @description Paths that need no key. */
        readonly EntranceLinks: {
            /** @description This document. */
            readonly description: string;
            /** @description The same for people. */
            readonly reference: string;
            /** @description Whether the process lives. */
            readonly live: string;
            /** @description Whether it can serve. */
            readonly ready: string;
        };
        /** @description What answers here. */
        readonly Entrance: {
            /** @description Of the product. */
            readonly name: string;
            /** @description Of the product, not of the API. */
            readonly version: string;
            readonly links: components["schemas"]["EntranceLinks"];
        };
        /**
         * @description Stable: branch on it.
         * @enum {string}
         */
        readonly ErrorCode: "invalid_request" | "unauthorized" | "insufficient_credits" | "not_found" | "method_not_allowed" | "idempotency_conflict" | "job_processing" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "rate_limit_exceeded" | "quota_exceeded" | "internal_error" | "verify_unavailable" | "service_unavailable";
        /** @description What went wrong. */
        readonly ErrorDetail: {
            /** @description Stable: branch on it. */
            readonly code: components["schemas"]["ErrorCode"];
            /** @description For people. Names fields and rules; its wording may change. */
            readonly message: string;
        };
        /** @description The body of every answer that is not a success. */
        readonly ErrorResponse: {
            readonly error: components["schemas"]["ErrorDetail"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
