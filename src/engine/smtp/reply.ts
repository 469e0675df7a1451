/** A complete reply (RFC 5321 4.2), lines joined. */
export interface Reply {
  /** 200-599. */
  readonly code: number;
  /** RFC 3463 code of the reply, such as `5.1.1`; null if none. */
  readonly enhanced: string | null;
  /** Decoded text of each line without code and enhanced code. */
  readonly lines: readonly string[];
  /** True if the lines carry different codes: then the reply says nothing about a mailbox. */
  readonly mixed: boolean;
}

/** How far a session came, in the order of the dialogue. */
export const SMTP_STAGES = ['none', 'connect', 'greeting', 'ehlo', 'starttls', 'mail', 'rcpt'] as const;
export type SmtpStage = (typeof SMTP_STAGES)[number];

/** True when `stage` comes after `other` in the dialogue. */
export function isLater(stage: SmtpStage, other: SmtpStage): boolean {
  return SMTP_STAGES.indexOf(stage) > SMTP_STAGES.indexOf(other);
}
