import { isPositive, type Answer } from './answer.js';
import type { AcceptedAt } from './accepted-recipients.js';
import type { SessionContext } from './judge-recipient.js';
import type { Note } from './note.js';
import type { ProbeTools } from './probe-tools.js';
import type { MailProvider } from './provider.js';
import type { SmtpSession } from './session.js';
import { findingOf, isPostmaster, postmasterOf, type WitnessFinding } from './witness.js';

/** A refusal that does not prove whom it is about, and its open session. */
export interface UnprovenRefusal {
  readonly answer: Answer;
  readonly recipient: string;
  /** The answer to the random recipient of the same session, if it was asked. */
  readonly random: Answer | undefined;
  readonly at: AcceptedAt;
  readonly provider: MailProvider | null;
  readonly session: Pick<SmtpSession, 'peerClosed' | 'transactFurther'>;
  readonly context: SessionContext;
}

export interface WitnessParts {
  readonly acceptedRecipients: ProbeTools['acceptedRecipients'];
  readonly note: Note;
  /** True if our politeness limits permit one more recipient. */
  mayAskOneMore(): Promise<boolean>;
}

/**
 * Looks for another accepted recipient of the domain at the same host (decisions 6.12): in this session, then among the
 * remembered ones, then by asking about postmaster once, in the same transaction. An acceptance that the host may have blocked
 * us after needs postmaster to be accepted too.
 */
export async function askWitness(refused: UnprovenRefusal, parts: WitnessParts): Promise<WitnessFinding> {
  const { random, at } = refused;
  if (random !== undefined && isPositive(random)) return 'recipient_accepted';
  const remembered = await parts.acceptedRecipients.recall(at);
  if (remembered === 'lately') return 'recipient_accepted_before';
  const found = await askPostmaster(refused, parts);
  return remembered !== null && found === 'postmaster_accepted' ? 'recipient_accepted_before' : found;
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
