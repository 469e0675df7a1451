import type { Address } from '../../address/address.js';
import type { MailHost } from '../../dns/mail-hosts.js';
import { furtherAnswer, type Answer } from '../answer.js';
import type { SessionContext } from '../judge-recipient.js';
import { SearchFindings } from '../search-findings.js';

/** What a recipient got for an answer, and in what kind of session. */
export interface Heard {
  readonly answer: Answer;
  readonly context: SessionContext;
}

/** One recipient on its way through the mail hosts of its domain. */
export class Candidate {
  readonly path: string;
  readonly findings = new SearchFindings();
  /** Its one retry on a fresh connection in the whole check (decisions 6.10). */
  retryLeft = true;
  /** It has been told at this host that its transaction was full, and has gone on to the next one. */
  movedOn = false;
  /** Its outcome has been given. */
  done = false;
  private position = 0;
  private before: Heard | null = null;

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

  /** The host whose turn it is; null when there is none left. */
  get host(): MailHost | null {
    return this.hosts[this.position] ?? null;
  }

  get othersWait(): boolean {
    return this.position < this.hosts.length - 1;
  }

  goOn(): void {
    this.position += 1;
    this.before = null;
    this.movedOn = false;
  }

  /** Uses the retry. What was heard so far counts unless the retry comes as far. */
  retry(heard: Heard): void {
    this.retryLeft = false;
    this.before = this.decisive(heard);
  }

  /** What has to be judged of what this host said in the end and before the retry. */
  decisive(heard: Heard): Heard {
    const { before } = this;
    return before !== null && furtherAnswer(heard.answer, before.answer) !== heard.answer ? before : heard;
  }

  /** What was heard before a retry that has not come about. */
  get heardBefore(): Heard | null {
    return this.before;
  }
}
