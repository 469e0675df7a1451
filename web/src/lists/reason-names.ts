/** Reasons of verdicts, as a person says them. */
export const REASON_NAMES: Readonly<Record<string, string>> = {
  mailbox_accepts: 'Mailbox accepts mail',
  bad_syntax: 'Not an address',
  invalid_email: 'Not an address',
  no_mx: 'Domain takes no mail',
  mailbox_not_found: 'Mailbox does not exist',
  blocked_domain: 'Domain is on the blocklist',
  catch_all_domain: 'Domain accepts everybody',
  accept_all_provider: 'Provider accepts everybody',
  disposable_provider: 'Throw-away provider',
  role_address: 'Shared mailbox',
  greylisted: 'Deferred by the host',
  smtp_timeout: 'Host did not answer in time',
  smtp_unreachable: 'Host not reached, or refused us',
  verification_pending: 'Still being checked',
  spam_trap: 'Spam trap',
  verify_unavailable: 'Failed on our side, refunded',
};
