/** What the console's API says about lists. */
export type ListMode = 'standard' | 'enhanced';

export interface List {
  readonly id: string;
  readonly name: string;
  readonly file_name: string | null;
  readonly mode: ListMode;
  readonly status: 'uploading' | 'processing' | 'completed';
  /** Addresses of all parts. */
  readonly total: number;
  /** Addresses of the parts that have been sent. */
  readonly submitted: number;
  readonly done: number;
  readonly parts: number;
  readonly parts_submitted: number;
  readonly created_at: string;
  readonly completed_at: string | null;
  readonly expires_at: string;
  readonly rate_per_second: number | null;
  readonly seconds_left: number | null;
  readonly charged: { readonly credits: number; readonly free_verifies: number };
  readonly created_by: unknown;
}

export interface ListSummary {
  readonly verdicts: Readonly<Record<string, number>>;
  readonly reasons: readonly { readonly reason: string | null; readonly count: number }[];
  readonly providers: readonly { readonly provider: string | null; readonly count: number }[];
  readonly decisions: Readonly<Record<'allow' | 'review' | 'deny', number>>;
  readonly deliverable: number;
  readonly total: number;
  readonly grade: { readonly letter: string; readonly points: number; readonly formula: string } | null;
}

/** The result of an entry, or why it has none. */
export interface EntryAnswer {
  readonly email: string | null;
  readonly error?: string;
  readonly result?: string;
  readonly reason?: string | null;
  readonly deliverable?: boolean | null;
  readonly decision?: { readonly recommendation: string } | string;
  readonly score?: number | null;
  readonly suggested_correction?: string | null;
  readonly provider?: string | null;
}

export interface ResultsPage {
  readonly results: readonly EntryAnswer[];
  readonly total: number;
  readonly offset: number;
}

/** What the balance of an account is made of. */
export interface Balance {
  readonly credits: { readonly total: number };
  readonly free_verifies: { readonly limit: number | null; readonly remaining: number | null };
}
