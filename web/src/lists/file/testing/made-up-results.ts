import type { EntryResults } from '../added-columns';

/** Verdicts that follow from the address: those that begin with `bad` do not exist, `maybe` wants a look. */
export function madeUpResults(emails: readonly string[]): EntryResults {
  const result = emails.map((email) =>
    !email.includes('@')
      ? 'invalid'
      : email.startsWith('bad')
        ? 'invalid'
        : email.startsWith('maybe')
          ? 'catch_all'
          : 'valid',
  );
  const by = <T>(values: Readonly<Record<string, T>>): T[] => result.map((verdict) => values[verdict] as T);
  return {
    email: emails.map((email) => email.toLowerCase()),
    result,
    reason: by({ valid: 'mailbox_accepts', invalid: 'mailbox_not_found', catch_all: 'catch_all_domain' }),
    deliverable: by<boolean | null>({ valid: true, invalid: false, catch_all: null }),
    decision: by({ valid: 'allow', invalid: 'deny', catch_all: 'review' }),
    score: by<number | null>({ valid: 0.95, invalid: 0, catch_all: 0.5 }),
    suggestion: emails.map((email) => (email.includes('gmial') ? email.replace('gmial', 'gmail') : '')),
    provider: emails.map(() => ''),
  };
}
