/* Made of docs/console-openapi.json by `npm run openapi`; do not edit. */

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
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
        readonly OptionsResponse: {
            /** @description Sign-in by OpenID Connect is offered. */
            readonly oidc: boolean;
            /** @description Where people who want credits are sent. */
            readonly topup_url: string | null;
            /** @description The address of the API. */
            readonly api_url: string;
            /** @description The version of the product. */
            readonly version: string;
        };
        /** @description Email and password. */
        readonly SignInRequest: {
            /** @description In any case. */
            readonly email: string;
            /** @description The password. */
            readonly password: string;
        };
        readonly SignInResponse: {
            /**
             * @description `code_required`: send an authentication code within ten minutes.
             * @enum {string}
             */
            readonly status: "signed_in" | "code_required";
        };
        /** @description The second step of a sign-in. */
        readonly CodeRequest: {
            /** @description Six digits of the app, or a recovery code. */
            readonly code: string;
        };
        /** @description The token of a one-time link. */
        readonly ReadLinkRequest: {
            /** @description What stands behind `#token=`. */
            readonly token: string;
        };
        readonly LinkAccount: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
        };
        readonly LinkResponse: {
            /**
             * @description `invitation` and `reset`: choose a password. `membership`: a user who is known signs in, and joins by it.
             * @enum {string}
             */
            readonly kind: "invitation" | "reset" | "membership";
            /** @description Null for `membership`. */
            readonly email: string | null;
            /** @description Null for `membership`. */
            readonly name: string | null;
            /** @description The account that invites. */
            readonly account: components["schemas"]["LinkAccount"] | null;
            /**
             * @description The role in the account, of `membership`.
             * @enum {string|null}
             */
            readonly role: "viewer" | "member" | "developer" | "owner" | null;
            /** @description The user becomes an operator by it, of `membership`. */
            readonly operator: boolean;
        };
        /** @description The password chosen on a one-time link. */
        readonly WelcomeRequest: {
            /** @description What stands behind `#token=`. */
            readonly token: string;
            /** @description The new password. */
            readonly password: string;
            /** @description What people call the user. */
            readonly name?: string | null;
        };
        readonly UserResponse: {
            /** Format: uuid */
            readonly id: string;
            readonly email: string;
            readonly name: string;
            /** @description May see the operator's area. */
            readonly operator: boolean;
            /** @description A sign-in needs an authentication code. */
            readonly totp: boolean;
            /** @description Has signed in by OpenID Connect. */
            readonly oidc: boolean;
            readonly has_password: boolean;
        };
        readonly AccountOfUser: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly plan: string;
            /** @description Its keys are refused. */
            readonly suspended: boolean;
            /** @enum {string} */
            readonly role: "viewer" | "member" | "developer" | "owner";
        };
        readonly MeResponse: {
            readonly user: components["schemas"]["UserResponse"];
            /** @description Accounts that the user is a member of. */
            readonly accounts: readonly components["schemas"]["AccountOfUser"][];
            /**
             * Format: uuid
             * @description The account looked at last.
             */
            readonly last_account: string | null;
        };
        /** @description What is to change; null equals leaving a field out. */
        readonly ChangeMeRequest: {
            /** @description What people call the user. */
            readonly name?: string | null;
        };
        /** @description The present password and the next one. */
        readonly ChangePasswordRequest: {
            /** @description The present password. */
            readonly current_password: string;
            /** @description The new password. */
            readonly new_password: string;
        };
        readonly SessionResponse: {
            /** Format: uuid */
            readonly id: string;
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description Up to a minute late.
             */
            readonly last_used_at: string;
            /** Format: date-time */
            readonly expires_at: string;
            /** @description The address of the browser at the sign-in. */
            readonly address: string | null;
            /** @description What the browser called itself. */
            readonly user_agent: string | null;
            /** @description The session of this request. */
            readonly current: boolean;
        };
        readonly SessionsResponse: {
            /** @description The one used last first. */
            readonly sessions: readonly components["schemas"]["SessionResponse"][];
        };
        /** @description The password of the signed-in user. */
        readonly PasswordRequest: {
            /** @description The password. */
            readonly password: string;
        };
        readonly TotpSecretResponse: {
            /** @description To be typed into an app, in base32. */
            readonly secret: string;
            /** @description To be shown as a QR code. */
            readonly uri: string;
        };
        readonly RecoveryCodesResponse: {
            /** @description Each stands in once for a code of the app. They are shown once. */
            readonly recovery_codes: readonly string[];
        };
        /** @description Password and authentication code. */
        readonly PasswordAndCodeRequest: {
            /** @description The password. */
            readonly password: string;
            /** @description Six digits of the app, or a recovery code. */
            readonly code: string;
        };
        readonly MemberResponse: {
            /** Format: uuid */
            readonly user_id: string;
            readonly email: string;
            /** @enum {string} */
            readonly role: "viewer" | "member" | "developer" | "owner";
            readonly name: string;
            /** @description Has not signed in yet, and chosen no password. */
            readonly invited: boolean;
            /** Format: date-time */
            readonly last_signed_in_at: string | null;
            /** @description A sign-in by password needs an authentication code. */
            readonly totp: boolean;
        };
        readonly InvitationResponse: {
            /** Format: uuid */
            readonly user_id: string;
            readonly email: string;
            /** @enum {string} */
            readonly role: "viewer" | "member" | "developer" | "owner";
            /**
             * Format: date-time
             * @description When the link ends.
             */
            readonly expires_at: string;
        };
        readonly MembersResponse: {
            /** @description The oldest first. */
            readonly members: readonly components["schemas"]["MemberResponse"][];
            /** @description Known users who have not joined yet. */
            readonly invitations: readonly components["schemas"]["InvitationResponse"][];
        };
        /** @description Who is to be a member. */
        readonly AddMemberRequest: {
            /** @description In any case. */
            readonly email: string;
            /**
             * @description From the least to all: viewer, member, developer, owner.
             * @enum {string}
             */
            readonly role: "viewer" | "member" | "developer" | "owner";
        };
        readonly AddedMemberResponse: {
            /** Format: uuid */
            readonly user_id: string;
            readonly email: string;
            /** @enum {string} */
            readonly role: "viewer" | "member" | "developer" | "owner";
            /** @description The user has a sign-in already, and joins by opening the link while signed in. */
            readonly known: boolean;
            /** @description A link to pass on, good once within 24 hours. It is shown once. */
            readonly link: string;
        };
        readonly LinkToPassOn: {
            /** @description A link to pass on, good once within 24 hours. It is shown once. */
            readonly link: string;
        };
        /** @description The new role. */
        readonly SetRoleRequest: {
            /**
             * @description From the least to all: viewer, member, developer, owner.
             * @enum {string}
             */
            readonly role: "viewer" | "member" | "developer" | "owner";
        };
        readonly AuditActor: {
            /** @enum {string} */
            readonly kind: "user" | "operator" | "system";
            /** @description What people call them. */
            readonly name: string;
        };
        readonly AuditEntryResponse: {
            /** Format: uuid */
            readonly id: string;
            /** Format: date-time */
            readonly at: string;
            readonly actor: components["schemas"]["AuditActor"];
            /** @description Noun and verb, such as `key.create`. An open set. */
            readonly action: string;
            /** @description What the act changed: an id, a domain, or the name of a user; null: the account itself. */
            readonly subject: string | null;
            /** @description Values that explain the act. */
            readonly details: {
                readonly [key: string]: unknown;
            } | null;
            /** @description The IP address of the browser; null for a shell. */
            readonly address: string | null;
        };
        readonly AuditResponse: {
            /** @description The newest first. */
            readonly entries: readonly components["schemas"]["AuditEntryResponse"][];
            /**
             * Format: uuid
             * @description The `cursor` of the next page.
             */
            readonly next: string | null;
        };
        readonly OverviewAccount: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly plan: string;
            readonly suspended: boolean;
        };
        readonly CreditAmounts: {
            readonly total: number;
            readonly purchased: number;
            readonly gifted: number;
        };
        readonly QuotaUse: {
            /** @description Null: unlimited. */
            readonly limit: number | null;
            readonly used: number;
            /** @description Null: unlimited. */
            readonly remaining: number | null;
            /** Format: date-time */
            readonly resets_at: string;
        };
        readonly RateLimit: {
            readonly per_minute: number;
        };
        readonly OverviewDay: {
            /**
             * Format: date
             * @description UTC.
             */
            readonly day: string;
            readonly verdicts: {
                readonly valid: number;
                readonly invalid: number;
                readonly catch_all: number;
                readonly disposable: number;
                readonly role: number;
                readonly unknown: number;
            };
            /** @description Refunds taken off. */
            readonly credits_used: number;
            /** @description Refunds taken off. */
            readonly free_verifies_used: number;
            /** @description Billed addresses, refunded ones taken off. */
            readonly addresses: number;
        };
        readonly OverviewTotals: {
            readonly addresses: number;
            readonly credits_used: number;
            readonly free_verifies_used: number;
            readonly refunded_credits: number;
            /** @description Null: there was no verdict. */
            readonly deliverable_share: number | null;
        };
        readonly UseOfKey: {
            /** Format: uuid */
            readonly key_id: string | null;
            readonly name: string | null;
            readonly addresses: number;
            readonly credits: number;
        };
        readonly UseOfEndpoint: {
            /** @enum {string} */
            readonly endpoint: "single" | "batch" | "job" | "other";
            readonly addresses: number;
            readonly credits: number;
        };
        readonly Overview: {
            readonly account: components["schemas"]["OverviewAccount"];
            readonly credits: components["schemas"]["CreditAmounts"];
            readonly free_verifies: components["schemas"]["QuotaUse"];
            readonly rate_limit: components["schemas"]["RateLimit"];
            readonly guard: components["schemas"]["QuotaUse"];
            /** @description Every day of the span, oldest first. */
            readonly days: readonly components["schemas"]["OverviewDay"][];
            readonly totals: components["schemas"]["OverviewTotals"];
            /** @description Most addresses first. */
            readonly by_key: readonly components["schemas"]["UseOfKey"][];
            /** @description Most addresses first. */
            readonly by_endpoint: readonly components["schemas"]["UseOfEndpoint"][];
        };
        readonly Key: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description Its last four characters. */
            readonly last_four: string;
            /** Format: date-time */
            readonly created_at: string;
            /** @description Who made it; null: nobody knows any more. */
            readonly created_by: string | null;
            /**
             * Format: date-time
             * @description Up to a minute late.
             */
            readonly last_used_at: string | null;
            /** Format: date-time */
            readonly expires_at: string | null;
            /** Format: date-time */
            readonly revoked_at: string | null;
            /**
             * Format: uuid
             * @description The key that a rotation made.
             */
            readonly replaced_by: string | null;
            /**
             * @description `expiring`: it works until `expires_at`.
             * @enum {string}
             */
            readonly status: "active" | "expiring" | "expired" | "revoked";
        };
        readonly KeyList: {
            /** @description Oldest first. */
            readonly keys: readonly components["schemas"]["Key"][];
        };
        /** @description A key to make. */
        readonly CreateKey: {
            /** @description What people call it. */
            readonly name: string;
            /**
             * @description A test key gets made-up answers for free.
             * @enum {string}
             */
            readonly mode: "live" | "test";
        };
        readonly NewKey: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description Its last four characters. */
            readonly last_four: string;
            /** Format: date-time */
            readonly created_at: string;
            /** @description Who made it; null: nobody knows any more. */
            readonly created_by: string | null;
            /**
             * Format: date-time
             * @description Up to a minute late.
             */
            readonly last_used_at: string | null;
            /** Format: date-time */
            readonly expires_at: string | null;
            /** Format: date-time */
            readonly revoked_at: string | null;
            /**
             * Format: uuid
             * @description The key that a rotation made.
             */
            readonly replaced_by: string | null;
            /**
             * @description `expiring`: it works until `expires_at`.
             * @enum {string}
             */
            readonly status: "active" | "expiring" | "expired" | "revoked";
            /** @description The key. It is shown here and never again. */
            readonly key: string;
        };
        /** @description How long the old key works on. */
        readonly RotateKey: {
            /** @description 0: it ends at once. */
            readonly grace_seconds: number;
        };
        readonly RotatedKey: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string | null;
            /** @enum {string} */
            readonly mode: "live" | "test";
            /** @description Its last four characters. */
            readonly last_four: string;
            /** Format: date-time */
            readonly created_at: string;
            /** @description Who made it; null: nobody knows any more. */
            readonly created_by: string | null;
            /**
             * Format: date-time
             * @description Up to a minute late.
             */
            readonly last_used_at: string | null;
            /** Format: date-time */
            readonly expires_at: string | null;
            /** Format: date-time */
            readonly revoked_at: string | null;
            /**
             * Format: uuid
             * @description The key that a rotation made.
             */
            readonly replaced_by: string | null;
            /**
             * @description `expiring`: it works until `expires_at`.
             * @enum {string}
             */
            readonly status: "active" | "expiring" | "expired" | "revoked";
            /** @description The key. It is shown here and never again. */
            readonly key: string;
            /**
             * Format: date-time
             * @description When the old key ends.
             */
            readonly old_expires_at: string;
        };
        readonly LedgerEntry: {
            readonly id: string;
            /** Format: date-time */
            readonly at: string;
            /** @enum {string} */
            readonly kind: "grant" | "charge" | "refund";
            /**
             * @description Null: no call.
             * @enum {string|null}
             */
            readonly endpoint: "single" | "batch" | "job" | "other" | null;
            /** Format: uuid */
            readonly key_id: string | null;
            readonly key_name: string | null;
            /** @description Addresses that were charged or refunded. */
            readonly addresses: number;
            /** @description The change: negative for a charge. */
            readonly credits: components["schemas"]["CreditAmounts"];
            /** @description The change: negative for a charge. */
            readonly free_verifies: number;
            /** @description Credits after it. */
            readonly balance_after: number;
            readonly reference: string;
        };
        readonly Statement: {
            /** @description Newest first. There may be none although `next` leads to more, where few pass the filter. */
            readonly entries: readonly components["schemas"]["LedgerEntry"][];
            /** @description `cursor` of the next page; null: this is the last. */
            readonly next: string | null;
            /** @description Credits now. */
            readonly balance: number;
        };
        readonly AllowanceMonth: {
            /** @description Such as 2026-11, UTC. */
            readonly month: string;
            readonly free_verifies_used: number;
            /** @description Of the plan of today. Null: unlimited. */
            readonly limit: number | null;
            readonly credits_used: number;
        };
        readonly Allowance: {
            /** @description The last twelve months, latest first. */
            readonly months: readonly components["schemas"]["AllowanceMonth"][];
        };
        /** @description An address to verify. */
        readonly Verify: {
            /** @description The address. */
            readonly email: string;
            /**
             * @description How deep the check goes.
             * @default standard
             * @enum {string|null}
             */
            readonly mode: "quick" | "standard" | "enhanced" | null;
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
        readonly ResultExplanation: {
            /** @description Why the verdict is what it is. */
            readonly sentence: string;
            /** @description What to do with the address. */
            readonly advice: string;
        };
        readonly Charged: {
            readonly credits: number;
            readonly free_verifies: number;
        };
        readonly VerifyAnswer: {
            readonly result: components["schemas"]["VerifyResult"];
            readonly explanation: components["schemas"]["ResultExplanation"];
            readonly charged: components["schemas"]["Charged"];
            /** @description Credits that are left. */
            readonly balance: number;
        };
        readonly ScorePartResponse: {
            /** @description The fact, such as `spf`. */
            readonly part: string;
            /** @description Points reached. */
            readonly points: number;
            /** @description Points that it gives at most. */
            readonly max: number;
            /** @description Null: unknown, and counts on neither side. */
            readonly fulfilled: boolean | null;
            /** @description What would raise it; null: nothing, or unknown. */
            readonly advice: string | null;
        };
        readonly DomainPage: {
            /** @description Null until the domain was crawled. */
            readonly domain: components["schemas"]["Domain"] | null;
            /** @description Largest first; none until it was crawled. */
            readonly score_parts: readonly components["schemas"]["ScorePartResponse"][];
            /** Format: date-time */
            readonly crawled_at: string | null;
            /** @description A crawl is due or under way. */
            readonly crawling: boolean;
            /** @description It is known to accept every recipient; null: not known. */
            readonly accept_all: boolean | null;
        };
        readonly GuardDay: {
            readonly total: number;
            readonly verdicts: {
                readonly valid: number;
                readonly invalid: number;
                readonly catch_all: number;
                readonly disposable: number;
                readonly role: number;
                readonly unknown: number;
                readonly other: number;
            };
            readonly actions: {
                readonly allow: number;
                readonly deny: number;
                readonly review: number;
                readonly other: number;
            };
            readonly sources: {
                readonly local: number;
                readonly remote: number;
                readonly other: number;
            };
            /** @description Decided without an answer of ours, or past the quota. */
            readonly degraded: number;
            /**
             * Format: date
             * @description UTC.
             */
            readonly day: string;
        };
        readonly GuardTotals: {
            readonly total: number;
            readonly verdicts: {
                readonly valid: number;
                readonly invalid: number;
                readonly catch_all: number;
                readonly disposable: number;
                readonly role: number;
                readonly unknown: number;
                readonly other: number;
            };
            readonly actions: {
                readonly allow: number;
                readonly deny: number;
                readonly review: number;
                readonly other: number;
            };
            readonly sources: {
                readonly local: number;
                readonly remote: number;
                readonly other: number;
            };
            /** @description Decided without an answer of ours, or past the quota. */
            readonly degraded: number;
        };
        readonly GuardDomain: {
            readonly domain: string;
            readonly count: number;
        };
        readonly GuardPage: {
            /** @description Remote decisions of the month. */
            readonly quota: components["schemas"]["QuotaUse"];
            /** @description Every day of the span, oldest first. */
            readonly days: readonly components["schemas"]["GuardDay"][];
            readonly totals: components["schemas"]["GuardTotals"];
            /** @description Most frequent first. */
            readonly top_domains: readonly components["schemas"]["GuardDomain"][];
        };
        readonly Property: {
            /** Format: uuid */
            readonly id: string;
            /** @description The site key: public, it goes into the pages of the site. */
            readonly property_key: string;
            readonly name: string;
            /** Format: date-time */
            readonly created_at: string;
        };
        readonly PropertyList: {
            /** @description Oldest first. */
            readonly properties: readonly components["schemas"]["Property"][];
        };
        /** @description A site or app whose guards report. */
        readonly CreateProperty: {
            /** @description What people call it. */
            readonly name: string;
        };
        readonly List: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly file_name: string | null;
            /** @enum {string} */
            readonly mode: "standard" | "enhanced";
            /**
             * @description `uploading` until all parts are submitted.
             * @enum {string}
             */
            readonly status: "uploading" | "processing" | "completed";
            /** @description Addresses of all parts. */
            readonly total: number;
            /** @description Addresses of the parts that were submitted. */
            readonly submitted: number;
            /** @description Addresses whose outcome is final. */
            readonly done: number;
            readonly parts: number;
            readonly parts_submitted: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly completed_at: string | null;
            /**
             * Format: date-time
             * @description Then it is gone.
             */
            readonly expires_at: string;
            /** @description Addresses a second. Null: not processing. */
            readonly rate_per_second: number | null;
            /** @description Null: nobody knows yet. */
            readonly seconds_left: number | null;
            /** @description What the submits took. Refunds are in the ledger. */
            readonly charged: components["schemas"]["Charged"];
            /** @description Name of the user who uploaded it. */
            readonly created_by: string | null;
        };
        readonly ListPage: {
            /** @description Newest first. */
            readonly lists: readonly components["schemas"]["List"][];
            /** @description `cursor` of the next page; null: this is the last. */
            readonly next: string | null;
        };
        /** @description A list whose parts will be submitted. */
        readonly CreateList: {
            /** @description What people call it. */
            readonly name: string;
            /**
             * @description How deep the checks go.
             * @default standard
             * @enum {string|null}
             */
            readonly mode: "standard" | "enhanced" | null;
            /** @description Of the file that it comes from. */
            readonly file_name?: string | null;
            /** @description How many parts will be submitted. */
            readonly parts: number;
            /** @description How many addresses they have together. */
            readonly total: number;
        };
        /** @description The addresses of a part. */
        readonly ListPart: {
            /** @description An entry that is no address is an error of that entry alone. */
            readonly emails: readonly string[];
        };
        readonly SubmittedPartAnswer: {
            readonly part: number;
            /** Format: uuid */
            readonly job_id: string;
            /** @description Zeros when the part was submitted before. */
            readonly charged: components["schemas"]["Charged"];
            /** @description Credits that are left. */
            readonly balance: number;
        };
        readonly ReasonCount: {
            /** @description A reason, or the error of entries without a verdict. */
            readonly reason: string;
            readonly count: number;
        };
        readonly ProviderCount: {
            /** @description `other`: a mail host of none of the known providers. */
            readonly provider: string;
            readonly count: number;
        };
        readonly Grade: {
            /** @enum {string} */
            readonly letter: "A" | "B" | "C" | "D" | "F";
            readonly points: number;
            /** @description How the points come about. */
            readonly formula: string;
        };
        readonly ListSummary: {
            readonly verdicts: {
                readonly valid: number;
                readonly invalid: number;
                readonly catch_all: number;
                readonly disposable: number;
                readonly role: number;
                readonly unknown: number;
            };
            /** @description Most frequent first. */
            readonly reasons: readonly components["schemas"]["ReasonCount"][];
            /** @description Most frequent first. */
            readonly providers: readonly components["schemas"]["ProviderCount"][];
            readonly decisions: {
                readonly allow: number;
                readonly deny: number;
                readonly review: number;
            };
            readonly deliverable: number;
            readonly total: number;
            /** @description Null: no entry has a verdict. */
            readonly grade: components["schemas"]["Grade"] | null;
        };
        readonly ListEntryResult: {
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
            /** @description Null: no mail host, or of no known provider. */
            readonly provider: string | null;
        };
        readonly ListEntryError: {
            /** @description As it was sent; null when it was no text. */
            readonly email: string | null;
            /**
             * @description Why there is no result. `insufficient_credits` in batches only.
             * @enum {string}
             */
            readonly error: "invalid_email" | "insufficient_credits" | "verify_unavailable";
            /** @description As in a result. Null if the entry is an address. */
            readonly suggested_correction: string | null;
        };
        readonly ListResults: {
            /** @description In the order of the list, over all parts. */
            readonly results: readonly (components["schemas"]["ListEntryResult"] | components["schemas"]["ListEntryError"])[];
            /** @description Results of the whole list. */
            readonly total: number;
            readonly offset: number;
        };
        /** @description An endpoint, without its secret. */
        readonly WebhookEndpoint: {
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
            /**
             * Format: date-time
             * @description Since when no delivery has arrived. Null: the last one did.
             */
            readonly failing_since: string | null;
            /**
             * @description `gone`: the receiver answered 410. `failing`: five days of failures. Null: it is on.
             * @enum {string|null}
             */
            readonly disabled_by: "person" | "gone" | "failing" | null;
        };
        readonly WebhookEndpointList: {
            /** @description Of live and test keys, oldest first. */
            readonly webhooks: readonly components["schemas"]["WebhookEndpoint"][];
        };
        /** @description A new endpoint. */
        readonly CreateWebhook: {
            /**
             * Format: uri
             * @description Begins with `https://`, without credentials and fragment.
             */
            readonly url: string;
            /** @description Events to send. */
            readonly events: readonly ("job.completed" | "verification.completed" | "credits.low" | "guard.quota_exhausted")[];
            /** @description Credits. `credits.low` is sent when the balance falls under it. */
            readonly low?: number | null;
            /**
             * @description Events of live keys, or of test keys.
             * @enum {string}
             */
            readonly mode: "live" | "test";
        };
        readonly NewWebhookEndpoint: {
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
            /**
             * Format: date-time
             * @description Since when no delivery has arrived. Null: the last one did.
             */
            readonly failing_since: string | null;
            /**
             * @description `gone`: the receiver answered 410. `failing`: five days of failures. Null: it is on.
             * @enum {string|null}
             */
            readonly disabled_by: "person" | "gone" | "failing" | null;
            /** @description Verifies signatures. It is shown here and never again. */
            readonly secret: string;
        };
        readonly TestDelivery: {
            /** Format: uuid */
            readonly delivery_id: string;
        };
        readonly WebhookDelivery: {
            /**
             * Format: uuid
             * @description The `webhook-id` of every attempt.
             */
            readonly id: string;
            /** @enum {string} */
            readonly type: "job.completed" | "verification.completed" | "credits.low" | "guard.quota_exhausted" | "webhook.test";
            /**
             * @description `due`: an attempt is under way or follows.
             * @enum {string}
             */
            readonly state: "due" | "delivered" | "failed";
            readonly attempts: number;
            /** @description HTTP status of the last attempt. Null: no answer. */
            readonly status: number | null;
            /** @description Why the last attempt had no answer. */
            readonly fault: string | null;
            /** @description Of the last attempt, in milliseconds. */
            readonly took_ms: number | null;
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description The last attempt.
             */
            readonly attempted_at: string | null;
            /**
             * Format: date-time
             * @description The next attempt. Null: there is none.
             */
            readonly due_at: string | null;
            /** @description What was sent is erased: it cannot be opened or sent again. */
            readonly erased: boolean;
        };
        readonly WebhookDeliveryPage: {
            /** @description Newest first. */
            readonly deliveries: readonly components["schemas"]["WebhookDelivery"][];
            /** @description `cursor` of the next page; null: this is the last. */
            readonly next: string | null;
        };
        /** @description May contain addresses. */
        readonly OpenedWebhookDelivery: {
            /**
             * Format: uuid
             * @description The `webhook-id` of every attempt.
             */
            readonly id: string;
            /** @enum {string} */
            readonly type: "job.completed" | "verification.completed" | "credits.low" | "guard.quota_exhausted" | "webhook.test";
            /**
             * @description `due`: an attempt is under way or follows.
             * @enum {string}
             */
            readonly state: "due" | "delivered" | "failed";
            readonly attempts: number;
            /** @description HTTP status of the last attempt. Null: no answer. */
            readonly status: number | null;
            /** @description Why the last attempt had no answer. */
            readonly fault: string | null;
            /** @description Of the last attempt, in milliseconds. */
            readonly took_ms: number | null;
            /** Format: date-time */
            readonly created_at: string;
            /**
             * Format: date-time
             * @description The last attempt.
             */
            readonly attempted_at: string | null;
            /**
             * Format: date-time
             * @description The next attempt. Null: there is none.
             */
            readonly due_at: string | null;
            /** @description What was sent is erased: it cannot be opened or sent again. */
            readonly erased: boolean;
            /** @description The body that is sent. Null: it is erased. */
            readonly body: string | null;
            /** @description The beginning of the last answer. Null: there was none. */
            readonly answer: string | null;
        };
        readonly AdminAccount: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly plan: string;
            readonly suspended: boolean;
            /** Format: date-time */
            readonly created_at: string;
            readonly credits_total: number;
        };
        readonly AdminAccountPage: {
            /** @description Newest first. */
            readonly accounts: readonly components["schemas"]["AdminAccount"][];
            /** @description `cursor` of the next page; null: this is the last. */
            readonly next: string | null;
        };
        /** @description An account to make. */
        readonly CreateAccount: {
            /** @description What people call it. */
            readonly name: string;
            /** @description Name of its plan. */
            readonly plan: string;
            /**
             * @description Purchased credits to begin with.
             * @default 0
             */
            readonly credits: number | null;
        };
        readonly AdminAccountDetail: {
            /** Format: uuid */
            readonly id: string;
            readonly name: string;
            readonly plan: string;
            readonly suspended: boolean;
            /** Format: date-time */
            readonly created_at: string;
            readonly credits_total: number;
            readonly members: readonly components["schemas"]["MemberResponse"][];
            readonly balance: components["schemas"]["CreditAmounts"];
            /** @description Keys, ended ones too. */
            readonly keys: number;
        };
        /** @description The plan of an account. */
        readonly SetPlan: {
            /** @description Name of the plan. */
            readonly plan: string;
        };
        /** @description Credits to grant. */
        readonly GrantCredits: {
            /** @description How many. */
            readonly credits: number;
            /**
             * @description Gifted ones are spent first.
             * @default purchased
             * @enum {string|null}
             */
            readonly kind: "purchased" | "gifted" | null;
            /** @description Such as the number of an invoice. The same one twice grants once. */
            readonly reference: string;
        };
        readonly PlanResponse: {
            readonly name: string;
            /** @description Its figures, as `plan list` names them; null: unlimited. */
            readonly figures: {
                readonly [key: string]: number | null;
            };
        };
        readonly PlanList: {
            /** @description The smallest rate first. */
            readonly plans: readonly components["schemas"]["PlanResponse"][];
        };
        readonly QueueState: {
            readonly name: string;
            readonly waiting: number;
            readonly active: number;
            readonly delayed: number;
            /** @description Failed for good. */
            readonly failed: number;
            /** @description Null: nothing waits. */
            readonly oldest_waiting_seconds: number | null;
        };
        readonly FailedWorkItem: {
            readonly queue: string;
            readonly job_id: string;
            readonly reason: string;
            /** Format: date-time */
            readonly failed_at: string;
        };
        readonly QueuesResponse: {
            readonly queues: readonly components["schemas"]["QueueState"][];
            /** @description The latest hundred, latest first. */
            readonly failed: readonly components["schemas"]["FailedWorkItem"][];
        };
        /** @description Failed work to put back to work: one, or all of it. */
        readonly RetryFailed: {
            /**
             * @description Everything that failed and can be retried.
             * @default false
             */
            readonly all: boolean | null;
            /** @description Its queue. */
            readonly queue?: string | null;
            /** @description Its job. */
            readonly job_id?: string | null;
        };
        readonly RetriedResponse: {
            readonly retried: number;
        };
        readonly ListState: {
            readonly name: string;
            /** @description Entries that were fetched. */
            readonly entries: number;
            /**
             * Format: date-time
             * @description Null: the shipped list counts alone.
             */
            readonly refreshed_at: string | null;
            readonly age_seconds: number | null;
            /** @description False: its source should be checked. */
            readonly healthy: boolean;
        };
        readonly EgressResponse: {
            /** @description The process that probes this way, and where it runs. */
            readonly process: string;
            readonly helo_name: string;
            readonly helo_resolves: boolean | null;
            readonly reverse_dns_matches: boolean | null;
            /**
             * @description Of the port for mail.
             * @enum {string}
             */
            readonly port: "open" | "closed" | "unknown";
            readonly failing: boolean;
        };
        readonly BackOff: {
            /** @description The provider, or the domain of its mail hosts. */
            readonly host: string;
            /** @description Null: all domains there. */
            readonly domain: string | null;
            /** @description The way out that was refused, as `SMTP_EGRESS` names it; without user and password. */
            readonly egress: string;
            /** @description Refusals in a row. */
            readonly refusals: number;
            /** Format: date-time */
            readonly until: string;
        };
        readonly LedgerAuditResult: {
            /** Format: date-time */
            readonly at: string;
            readonly accounts: number;
            /** @description Accounts that do not add up. */
            readonly mismatches: number;
        };
        readonly SystemReport: {
            readonly lists: readonly components["schemas"]["ListState"][];
            /** @description The ways out of every process that probes, up to a minute late. Null: Redis does not answer. */
            readonly egress: readonly components["schemas"]["EgressResponse"][] | null;
            /** @description Mail hosts that are left alone: the 200 pauses that end last, the last first. Null: Redis does not answer. */
            readonly politeness: readonly components["schemas"]["BackOff"][] | null;
            /** @description The last daily audit. Null: there was none yet. */
            readonly ledger_audit: components["schemas"]["LedgerAuditResult"] | null;
        };
        /**
         * @description Stable: branch on it.
         * @enum {string}
         */
        readonly ErrorCode: "invalid_request" | "unauthorized" | "insufficient_credits" | "not_found" | "method_not_allowed" | "idempotency_conflict" | "job_processing" | "payload_too_large" | "unsupported_media_type" | "validation_failed" | "rate_limit_exceeded" | "quota_exceeded" | "internal_error" | "verify_unavailable" | "service_unavailable" | "sign_in_failed" | "forbidden" | "conflict" | "last_owner" | "too_many_attempts";
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
