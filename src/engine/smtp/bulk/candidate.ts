import type { Address } from '../../address/address.js';
import type { MailHost } from '../../dns/mail-hosts.js';
import { furtherAnswer, type Answer } from '../answer.js';
import type { SessionContext } from '../judge-recipient.js';
import { SearchFindings } from '../search-findings.js';
import { countsRecipients } from './session-used-up.js';

/** The answer about a recipient, and the kind of session it came in. */
export interface ReceivedAnswer {
  readonly answer: Answer;
  readonly context: SessionContext;
}

/** The answer about a recipient that is held until another recipient is answered. */
export interface HeldAnswer {
  readonly candidate: Candidate;
  readonly received: ReceivedAnswer;
}

/** One recipient on its way through the mail hosts of its domain. */
export class Candidate {
  readonly path: string;
  readonly findings = new SearchFindings();
  /** The one retry on a fresh connection in the whole check is unused (decisions 6.10). */
  retryLeft = true;
  /** This host has said that the transaction was full, and the recipient has moved to the next transaction. */
  wasMovedToNextTransaction = false;
  /** Its outcome has been given. */
  done = false;
  private position = 0;
  private before: ReceivedAnswer | null = null;

  constructor(
    readonly index: number,
    readonly address: Address,
    private readonly hosts: readonly MailHost[],
  ) {
    this.path = `${address.localPart}@${address.domain}`;
  }

  get domain(): string {
    return this.address.domain;
  }

  get utf8(): boolean {
    return this.address.internationalized;
  }

  /** The current host; null when none is left. */
  get host(): MailHost | null {
    return this.hosts[this.position] ?? null;
  }

  get othersWait(): boolean {
    return this.position < this.hosts.length - 1;
  }

  moveToNextHost(): void {
    this.position += 1;
    this.before = null;
    this.wasMovedToNextTransaction = false;
  }

  /** Uses the retry. The answer so far, if it says anything of this recipient, still counts unless the retry gets as far. */
  retry(received: ReceivedAnswer): void {
    this.retryLeft = false;
    const { answer } = received;
    if (answer.kind !== 'reply' || !countsRecipients(answer.reply)) this.before = this.decisive(received);
  }

  /** Picks the answer to judge: the last one, or the one before the retry. */
  decisive(received: ReceivedAnswer): ReceivedAnswer {
    const { before } = this;
    return before !== null && furtherAnswer(received.answer, before.answer) !== received.answer ? before : received;
  }

  /** The answer before a retry that did not take place. */
  get earlierAnswer(): ReceivedAnswer | null {
    return this.before;
  }
}
