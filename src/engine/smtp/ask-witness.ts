import { isPositive, type Answer } from './answer.js';
import type { AcceptedAt } from './accepted-recipients.js';
import type { SessionContext } from './judge-recipient.js';
import type { Note } from './note.js';
import type { ProbeTools } from './probe-tools.js';
import type { MailProvider } from './provider.js';
import type { SmtpSession } from './session.js';
import { findingOf, isPostmaster, postmasterOf, type WitnessFinding } from './witness.js';

/** A refusal that does not prove of whom it speaks, and the open session that it came in. */
export interface UnprovenRefusal {
  readonly answer: Answer;
  readonly recipient: string;
  /** To the random recipient of the same session, where that was asked about. */
  readonly random: Answer | undefined;
  readonly at: AcceptedAt;
  readonly provider: MailProvider | null;
  readonly session: Pick<SmtpSession, 'peerClosed' | 'transactFurther'>;
  readonly context: SessionContext;
}

export interface WitnessParts {
  readonly acceptedRecipients: ProbeTools['acceptedRecipients'];
  readonly note: Note;
  /** Leave of our own politeness limits for one recipient more. */
  mayAskOneMore(): Promise<boolean>;
}

/**
 * Looks for another recipient of the domain at the same host (decisions 6.12): in this session, then among those that are
 * remembered, then by asking about postmaster, once, in the same transaction.
 */
export async function askWitness(refused: UnprovenRefusal, parts: WitnessParts): Promise<WitnessFinding> {
  const { random, at } = refused;
  if (random !== undefined && isPositive(random)) return 'recipient_accepted';
  if (await parts.acceptedRecipients.isKnown(at)) return 'recipient_accepted_before';
  return askPostmaster(refused, parts);
}

async function askPostmaster(refused: UnprovenRefusal, parts: WitnessParts): Promise<WitnessFinding> {
  const { answer, recipient, random, at, provider, session, context } = refused;
  const postmaster = postmasterOf(at.domain);
  const asked = random === undefined ? 1 : 2;
  const isFull = provider !== null && provider.recipientsPerSession <= asked;
  if (isPostmaster(recipient) || isFull || session.peerClosed || !(await parts.mayAskOneMore())) {
    parts.note('The refusal does not say of whom it speaks, and no other recipient can be asked about.');
    return 'inconclusive';
  }
  parts.note('The refusal does not say of whom it speaks: asking about postmaster too.');
  const [told] = await session.transactFurther([postmaster], false);
  if (told === undefined) return 'inconclusive';
  const { ownNames } = context;
  return findingOf({ answer, recipient, ownNames }, { answer: told, recipient: postmaster, ownNames });
}
