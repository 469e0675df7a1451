import { SMTP_STAGES, type Reply, type SmtpStage } from './reply.js';

/** What a mail host sent within a step's time. */
export type Incoming =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** No complete reply came in time, or the check's deadline passed. */
  | { readonly kind: 'timeout' }
  /** The peer hung up. Replies received before are always returned first. */
  | { readonly kind: 'closed' }
  /** Oversized, not SMTP, or out of step with our commands. */
  | { readonly kind: 'garbage' };

/** The answer to one command, and the stage of the dialogue. */
export type Answer = Incoming & { readonly stage: SmtpStage };

export type ReplyAnswer = Answer & { readonly kind: 'reply' };

/** True for a 2xx whose lines all carry the same code. */
export function isPositive(answer: Answer): answer is ReplyAnswer {
  return answer.kind === 'reply' && !answer.reply.mixed && answer.reply.code < 300;
}

/** True for a 5xx whose lines all carry the same code. */
export function isRefusal(answer: Answer): answer is ReplyAnswer {
  return answer.kind === 'reply' && !answer.reply.mixed && answer.reply.code >= 500;
}

/**
 * Turns a reply that cannot answer the command into `garbage`: lines with different codes, a 3xx, a 2xx of another
 * command. Its sender is out of step with us, and a later reply could pass for the answer about a mailbox.
 */
export function settle(incoming: Incoming, stage: SmtpStage): Answer {
  if (incoming.kind === 'reply' && outOfStep(incoming.reply, stage)) return { kind: 'garbage', stage };
  // No spread: V8 takes many times as long for properties that follow one, and all answers then have two shapes.
  return incoming.kind === 'reply' ? { kind: 'reply', stage, reply: incoming.reply } : { kind: incoming.kind, stage };
}

const POSITIVE_CODES: Readonly<Partial<Record<SmtpStage, readonly number[]>>> = {
  greeting: [220],
  starttls: [220],
  ehlo: [250],
  mail: [250],
  // RFC 5321 4.2.2: 251 "will forward", 252 "cannot verify, but will accept".
  rcpt: [250, 251, 252],
};

function outOfStep(reply: Reply, stage: SmtpStage): boolean {
  if (reply.mixed) return true;
  if (reply.code >= 400) return false;
  return !(POSITIVE_CODES[stage] ?? []).includes(reply.code);
}

/**
 * The answer that came further in the dialogue. At the same stage the one that says more: a reply, then garbage, then a
 * closed connection, then silence. The first on a tie.
 */
export function furtherAnswer(first: Answer, second: Answer): Answer {
  return reach(second) > reach(first) ? second : first;
}

const TELLING: Readonly<Record<Answer['kind'], number>> = { reply: 3, garbage: 2, closed: 1, timeout: 0 };

function reach(answer: Answer): number {
  return SMTP_STAGES.indexOf(answer.stage) * 4 + TELLING[answer.kind];
}
