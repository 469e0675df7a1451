/** A complete reply (RFC 5321 4.2), lines joined. */
export interface Reply {
  /** 200-599. */
  readonly code: number;
  /** RFC 3463 code of the reply, such as `5.1.1`; null when it carries none. */
  readonly enhanced: string | null;
  /** Text of each line without code and enhanced code, decoded. */
  readonly lines: readonly string[];
  /** True when the lines of one reply carried different codes: then it says nothing about a mailbox. */
  readonly mixed: boolean;
}

/** How far a session came; the order is the order of the dialogue. */
export const SMTP_STAGES = ['none', 'connect', 'greeting', 'ehlo', 'starttls', 'mail', 'rcpt'] as const;
export type SmtpStage = (typeof SMTP_STAGES)[number];
