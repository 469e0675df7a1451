import type { Reason, Result } from './result.js';

/** Each `reason` explained in a sentence. The API documentation shows the same texts. */
export const REASON_MEANINGS: Readonly<Record<Reason, string>> = {
  bad_syntax: 'not an address',
  no_mx: 'the domain takes no mail: it does not exist, has a null MX, or has no mail host with a public address',
  mailbox_accepts: 'the mail host accepts mail for this mailbox',
  mailbox_not_found: 'the mail host refuses this mailbox permanently: unknown, disabled or full',
  disposable_provider: 'disposable domain or mail host; not probed',
  role_address: 'shared mailbox; not probed',
  catch_all_domain: 'a random recipient was accepted too',
  accept_all_provider: 'the provider accepts any recipient, so an acceptance proves nothing',
  greylisted: 'the mail host deferred the address; call again after 15 minutes',
  smtp_timeout: 'the mail host was reached but did not reply in time',
  smtp_unreachable: 'no connection, faulty DNS of the domain, or a refusal of us rather than of the mailbox',
  verification_pending: 'the mail host is being probed in the background; call again',
  blocked_domain: 'the domain is on the blocklist',
  spam_trap: 'the mail host is a known spam trap and is never probed',
};

/** The `result` for each `reason` (decisions 5.1). */
export const REASON_RESULTS: Readonly<Record<Reason, Result>> = {
  bad_syntax: 'invalid',
  no_mx: 'invalid',
  mailbox_accepts: 'valid',
  mailbox_not_found: 'invalid',
  disposable_provider: 'disposable',
  role_address: 'role',
  catch_all_domain: 'catch_all',
  accept_all_provider: 'catch_all',
  greylisted: 'unknown',
  smtp_timeout: 'unknown',
  smtp_unreachable: 'unknown',
  verification_pending: 'unknown',
  blocked_domain: 'invalid',
  spam_trap: 'unknown',
};
