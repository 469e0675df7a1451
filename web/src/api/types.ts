/** What the console's API sends and takes. Times are ISO 8601 in UTC, ids are UUIDs, credits whole numbers. */

export type Role = 'viewer' | 'member' | 'developer' | 'owner';
export type Verdict = 'valid' | 'invalid' | 'catch_all' | 'disposable' | 'role' | 'unknown';
export type VerdictCounts = Readonly<Record<Verdict, number>>;
export type Mode = 'quick' | 'standard' | 'enhanced';

export interface Options {
  readonly oidc: boolean;
  readonly topup_url: string | null;
  readonly api_url: string;
  readonly version: string;
}

export interface SignInAnswer {
  readonly status: 'signed_in' | 'code_required';
}

export interface WelcomeAnswer {
  readonly email: string;
  readonly name: string | null;
  readonly account: { readonly id: string; readonly name: string } | null;
  readonly kind: 'invitation' | 'reset';
}

export interface User {
  readonly id: string;
  readonly email: string;
  /** Empty until one has chosen a name. */
  readonly name: string;
  readonly operator: boolean;
  readonly totp: boolean;
  readonly oidc: boolean;
  readonly has_password: boolean;
}

export interface Membership {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly suspended: boolean;
  readonly role: Role;
}

export interface Me {
  readonly user: User;
  readonly accounts: readonly Membership[];
  readonly last_account: string | null;
}

export interface Session {
  readonly id: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly address: string | null;
  readonly user_agent: string | null;
  readonly current: boolean;
}

export interface Overview {
  readonly account: { readonly id: string; readonly name: string; readonly plan: string; readonly suspended: boolean };
  readonly credits: { readonly total: number; readonly purchased: number; readonly gifted: number };
  readonly free_verifies: Quota;
  readonly rate_limit: { readonly per_minute: number };
  readonly guard: { readonly limit: number | null; readonly used: number };
  readonly days: readonly {
    readonly day: string;
    readonly verdicts: VerdictCounts;
    readonly credits_used: number;
    readonly free_verifies_used: number;
    readonly addresses: number;
  }[];
  readonly totals: {
    readonly addresses: number;
    readonly credits_used: number;
    readonly free_verifies_used: number;
    readonly refunded_credits: number;
    readonly deliverable_share: number | null;
  };
  readonly by_key: readonly {
    readonly key_id: string | null;
    readonly name: string | null;
    readonly addresses: number;
    readonly credits: number;
  }[];
  readonly by_endpoint: readonly { readonly endpoint: string; readonly addresses: number; readonly credits: number }[];
}

/** What a month gives; `limit` and `remaining` are null where there is no limit. */
export interface Quota {
  readonly limit: number | null;
  readonly used: number;
  readonly remaining: number | null;
  readonly resets_at: string;
}

export interface DomainObject {
  readonly name: string;
  readonly types: readonly string[] | null;
  readonly score: number | null;
  readonly spf: boolean | null;
  readonly dkim: boolean | null;
  readonly dmarc: boolean | null;
  readonly dmarc_policy: string | null;
  readonly mta_sts: boolean | null;
  readonly tls_rpt: boolean | null;
  readonly bimi: boolean | null;
  readonly dane: boolean | null;
  readonly blacklists: number | null;
  readonly dnssec: string | null;
  readonly caa: boolean | null;
  readonly blocked: boolean;
  readonly blocked_label: string | null;
}

export interface VerifyResult {
  readonly email: string;
  readonly result: string;
  readonly deliverable: boolean | null;
  readonly reason: string | null;
  readonly mx: boolean;
  readonly mx_record: string | null;
  readonly disposable: boolean;
  readonly role: boolean;
  readonly catch_all: boolean;
  readonly free_email: boolean | null;
  readonly relay: boolean;
  readonly relay_provider: string | null;
  readonly parked: boolean;
  readonly spam_trap: boolean;
  readonly spam_trap_type: string | null;
  readonly suggested_correction: string | null;
  readonly smtp_diagnosis: string | null;
  readonly score: number | null;
  readonly freshness: string;
  readonly checked_at: string | null;
  readonly domain: DomainObject | null;
  readonly decision: { readonly recommendation: 'allow' | 'review' | 'deny'; readonly reasons: readonly string[] };
  readonly degraded: boolean;
}

export interface VerifyAnswer {
  readonly result: VerifyResult;
  readonly explanation: { readonly sentence: string; readonly advice: string };
  readonly charged: { readonly credits: number; readonly free_verifies: number };
  readonly balance: number;
}

export interface DomainAnswer {
  readonly domain: DomainObject | null;
  readonly score_parts: readonly {
    readonly part: string;
    readonly points: number | null;
    readonly max: number;
    readonly fulfilled: boolean | null;
    readonly advice: string | null;
  }[];
  readonly crawled_at: string | null;
  readonly crawling: boolean;
  readonly accept_all: boolean | null;
}

export interface ApiKey {
  readonly id: string;
  readonly name: string | null;
  readonly mode: 'live' | 'test';
  readonly last_four: string;
  readonly created_at: string;
  readonly created_by: string | null;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly replaced_by: string | null;
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked';
}

/** `key` is told in this answer alone. */
export interface NewApiKey extends ApiKey {
  readonly key: string;
  readonly old_expires_at?: string | null;
}

export interface Property {
  readonly id: string;
  readonly property_key: string;
  readonly name: string;
  readonly created_at: string;
}

type Counts = Readonly<Record<string, number>>;

export interface GuardReport {
  readonly quota: Quota;
  readonly days: readonly {
    readonly day: string;
    readonly total: number;
    readonly verdicts: Counts;
    readonly actions: Counts;
    readonly sources: Counts;
    readonly degraded: number;
  }[];
  readonly totals: {
    readonly total: number;
    readonly verdicts: Counts;
    readonly actions: Counts;
    readonly sources: Counts;
    readonly degraded: number;
  };
  readonly top_domains: readonly { readonly domain: string; readonly count: number }[];
}

export type LedgerKind = 'grant' | 'charge' | 'refund' | 'closing';

export interface LedgerEntry {
  readonly id: string;
  readonly at: string;
  readonly kind: LedgerKind;
  readonly endpoint: string | null;
  readonly key_id: string | null;
  readonly key_name: string | null;
  readonly addresses: number | null;
  readonly credits: { readonly total: number; readonly purchased: number; readonly gifted: number };
  readonly free_verifies: number;
  readonly balance_after: number | null;
  readonly reference: string | null;
}

export interface LedgerPage {
  readonly entries: readonly LedgerEntry[];
  readonly next: string | null;
  readonly balance: number;
}

export interface AllowanceMonth {
  readonly month: string;
  readonly free_verifies_used: number;
  readonly limit: number | null;
  readonly credits_used: number;
}

export interface Member {
  readonly user_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly invited: boolean;
  readonly last_signed_in_at: string | null;
  readonly totp: boolean;
}

export interface NewMember extends Member {
  /** A one-time link to pass on; null when the person can sign in already. */
  readonly link: string | null;
}

export interface AuditEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: 'user' | 'operator' | 'system'; readonly name: string };
  readonly action: string;
  readonly subject: string | null;
  readonly details: unknown;
  readonly address: string | null;
}

export interface AdminAccount {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly suspended: boolean;
  readonly created_at: string;
  readonly credits_total: number;
}

export interface AdminAccountDetail extends AdminAccount {
  readonly members: readonly Member[];
  readonly balance: { readonly total: number; readonly purchased: number; readonly gifted: number };
  readonly keys: number;
}

export interface Queues {
  readonly queues: readonly {
    readonly name: string;
    readonly waiting: number;
    readonly active: number;
    readonly delayed: number;
    readonly failed: number;
    readonly oldest_waiting_seconds: number | null;
  }[];
  readonly failed: readonly {
    readonly queue: string;
    readonly job_id: string;
    readonly reason: string;
    readonly failed_at: string;
  }[];
}

export interface SystemReport {
  readonly lists: readonly {
    readonly name: string;
    readonly entries: number;
    readonly refreshed_at: string | null;
    readonly age_seconds: number | null;
    readonly healthy: boolean;
  }[];
  readonly egress: readonly {
    readonly helo_name: string;
    readonly helo_resolves: boolean | null;
    readonly reverse_dns_matches: boolean | null;
    readonly port: string;
    readonly failing: boolean;
  }[];
  readonly politeness: readonly { readonly host: string; readonly until: string; readonly reason: string }[];
  readonly ledger_audit: { readonly at: string; readonly accounts: number; readonly mismatches: number } | null;
}
