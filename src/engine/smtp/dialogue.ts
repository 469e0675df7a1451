import { furtherAnswer, isPositive, type Answer } from './answer.js';
import { demandsStartTls } from './demands-starttls.js';
import type { Note } from './note.js';
import type { SmtpSession } from './session.js';

/** How to conduct a session. The one retry on a fresh connection changes one of these (`retry-options.ts`). */
export interface SessionOptions {
  readonly verb: 'EHLO' | 'HELO';
  /** Send MAIL and RCPT in one write if the host offers PIPELINING. */
  readonly pipelining: boolean;
  /** Switch to TLS before MAIL: the host has already demanded it. */
  readonly startTls: boolean;
}

export const DEFAULT_SESSION_OPTIONS: SessionOptions = { verb: 'EHLO', pipelining: true, startTls: false };

export interface DialoguePlan {
  readonly sessionOptions: SessionOptions;
  /** Recipient paths in the order to ask, the real one first. Never empty. */
  readonly recipients: readonly string[];
  readonly needsSmtpUtf8: boolean;
}

export interface DialogueReport {
  /** One per recipient. If the dialogue stopped before RCPT, each is the answer that stopped it. */
  readonly answers: readonly Answer[];
  /** True if the recipient needs SMTPUTF8 and the host did not offer it: nothing was asked. */
  readonly smtpUtf8Missing?: boolean;
  /** The same, but we did not get the host's extensions: it may have SMTPUTF8. */
  readonly smtpUtf8Unheard?: boolean;
  readonly pipelined?: boolean;
  /** True if the host demanded TLS and hung up before STARTTLS. */
  readonly closedOnTlsDemand?: boolean;
  readonly peerClosed: boolean;
}

/** Whether RCPT was sent: with PIPELINING also where the host then refused MAIL. */
export function sentRecipients({ answers, pipelined }: Pick<DialogueReport, 'answers' | 'pipelined'>): boolean {
  return pipelined === true || answers[0]?.stage === 'rcpt';
}

/** Conducts one session from the greeting to the answers about its recipients. Does not close it. */
export async function converse(session: SmtpSession, plan: DialoguePlan, note: Note): Promise<DialogueReport> {
  const stopped = (answer: Answer): DialogueReport => toEach(plan.recipients, answer, session);
  const greeting = await session.greet();
  if (!isPositive(greeting)) return stopped(greeting);
  const hello = await session.hello(plan.sessionOptions.verb);
  if (!isPositive(hello)) return stopped(hello);
  if (plan.sessionOptions.startTls) {
    const secured = await secure(session);
    if (!isPositive(secured)) return stopped(secured);
    return transact(session, plan, note);
  }
  const plain = await transact(session, plan, note);
  const [real] = plain.answers;
  if (real === undefined || !demandsStartTls(real)) return plain;
  if (!session.capabilities.startTls) {
    note('The host demands TLS but does not offer STARTTLS.');
    return plain;
  }
  note('The host demands TLS: going over to it. Its certificate is not checked.');
  const secured = await secure(session);
  if (!isPositive(secured)) {
    note('The host demands TLS, but TLS with it fails.');
    return { ...plain, closedOnTlsDemand: secured.kind === 'closed' && secured.stage === 'starttls' };
  }
  const overTls = await transact(session, plan, note);
  const [before, after] = [plain.answers[0], overTls.answers[0]];
  return before !== undefined && after !== undefined && furtherAnswer(after, before) === after ? overTls : plain;
}

/** STARTTLS and the EHLO after it; positive if both worked. */
async function secure(session: SmtpSession): Promise<Answer> {
  const started = await session.startTls();
  return isPositive(started) ? session.hello('EHLO') : started;
}

/** Asks about the recipients in a new transaction of a session that said hello. */
export async function transact(session: SmtpSession, plan: DialoguePlan, note: Note): Promise<DialogueReport> {
  const { capabilities } = session;
  if (plan.needsSmtpUtf8 && !capabilities.smtpUtf8) {
    note(
      session.extensionsHeard
        ? 'The address needs SMTPUTF8 (RFC 6531), which this host does not offer: it cannot have such a mailbox.'
        : 'The address needs SMTPUTF8 (RFC 6531); this host did not let us hear whether it has that.',
    );
    const report = toEach(plan.recipients, { kind: 'closed', stage: 'ehlo' }, session);
    return { ...report, smtpUtf8Missing: true, smtpUtf8Unheard: !session.extensionsHeard };
  }
  const pipelined = pipelines(session, plan.sessionOptions);
  const { mail, recipients } = await session.transact(plan.recipients, { pipelined, smtpUtf8: plan.needsSmtpUtf8 });
  const answers = recipients.length > 0 ? recipients : plan.recipients.map(() => mail);
  return { answers, peerClosed: session.peerClosed, pipelined };
}

/** Whether the session's commands go out in one write. */
export function pipelines({ capabilities }: SmtpSession, { pipelining }: SessionOptions): boolean {
  return pipelining && capabilities.pipelining;
}

/** The report if one answer counts for every recipient. */
export function toEach(
  recipients: readonly string[],
  answer: Answer,
  { peerClosed }: Pick<SmtpSession, 'peerClosed'>,
): DialogueReport {
  return { answers: recipients.map(() => answer), peerClosed };
}
