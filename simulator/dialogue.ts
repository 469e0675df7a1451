import type { HangUp, SessionCount } from '../src/engine/smtp/bulk/host-traits.js';
import { isWitness, type Asked, type HostLine } from './host-line.js';
import type { SimulatedDomain } from './world.js';

/** How a host answers a recipient. `full`: about the session, not the recipient. `hang_up`: a 421. */
export type Answer = 'accepted' | 'refused' | 'vaguely_refused' | 'greylisted' | 'full' | 'hang_up';

/** What becomes of an answered recipient: as in the product's `recipientSteps`. */
export type Step = 'judge' | 'retry' | 'next_transaction' | 'not_reached';

export interface Answered {
  readonly asked: Asked;
  /** null: the session ended before. */
  readonly answer: Answer | null;
  readonly step: Step;
}

/** One session with a mail host: what the host answers, and what the product learns from it. */
export class Dialogue {
  over = false;
  open: SimulatedDomain | null = null;
  taken = 0;
  private answered = 0;
  private errors = 0;
  private served = 0;
  private servedInTransaction = 0;
  private transactions = 0;
  /** The host's own counts. */
  private heard = 0;
  private refusals = 0;

  constructor(private readonly line: HostLine) {}

  get count(): SessionCount {
    return { answered: this.answered, errors: this.errors, transactions: this.transactions };
  }

  /** Ends a full transaction. @returns the domain of the next batch; null: none */
  next(): SimulatedDomain | null {
    const { line } = this;
    if (this.open !== null && line.traits.transactionRoom(this.taken) === 0) this.open = null;
    const domain = line.next(false, this.open);
    if (domain === null || domain === this.open) return domain;
    return line.traits.mayBegin(this.transactions) ? domain : null;
  }

  /** Size of the next batch of a domain; 0: end the session. */
  batchSize(domain: SimulatedDomain): number {
    const { traits } = this.line;
    return Math.min(traits.batchSize(this.count), traits.transactionRoom(domain === this.open ? this.taken : 0));
  }

  /** @returns what became of each, and how many the host has heard */
  ask(domain: SimulatedDomain, batch: readonly Asked[]): { readonly all: readonly Answered[]; readonly heard: number } {
    if (domain !== this.open) {
      this.open = domain;
      this.transactions += 1;
      this.servedInTransaction = 0;
      this.taken = 0;
    }
    this.taken += batch.length;
    const before = { answered: this.answered, served: this.served };
    const all: Answered[] = [];
    let hangUp: HangUp | null = null;
    let lastWasError = false;
    for (const asked of batch) {
      if (hangUp !== null) {
        all.push({ asked, answer: null, step: 'not_reached' });
        continue;
      }
      const answer = this.answerOf(asked);
      if (answer === 'hang_up') {
        hangUp = { lastWasError, saysErrors: true };
        const isFirst = before.answered + all.length === 0;
        all.push({ asked, answer, step: isFirst ? 'judge' : 'retry' });
        continue;
      }
      lastWasError = answer !== 'accepted';
      this.answered += 1;
      if (lastWasError) this.errors += 1;
      all.push({ asked, answer, step: this.stepOf(answer, before.served) });
      if (answer === 'full') continue;
      this.served += 1;
      this.servedInTransaction += 1;
    }
    if (before.answered === 0) this.line.traits.list.note(this.count, hangUp !== null);
    this.learn(all, hangUp);
    return { all, heard: all.filter(({ step }) => step !== 'not_reached').length };
  }

  private stepOf(answer: Answer, servedBefore: number): Step {
    if (answer !== 'full') return 'judge';
    if (this.servedInTransaction > 0) return 'next_transaction';
    return servedBefore > 0 ? 'retry' : 'judge';
  }

  private learn(all: readonly Answered[], hangUp: HangUp | null): void {
    const { traits } = this.line;
    if (hangUp !== null && this.answered > 0) traits.hungUp(this.count, hangUp);
    if (hangUp === null) traits.answeredInTime(this.errors);
    for (const { answer, step } of all) {
      if (step === 'next_transaction') traits.limitPerTransaction(this.servedInTransaction);
      if (step === 'retry' && answer === 'full') traits.limitPerSession(this.served);
    }
    if (hangUp !== null || all.some(({ step }) => step === 'retry')) this.over = true;
    if (all.some(({ step }) => step === 'next_transaction')) this.open = null;
  }

  private answerOf(asked: Asked): Answer {
    const { behaviour } = this.line.host;
    this.heard += 1;
    const answer = this.unlimitedAnswer(asked);
    if (answer !== 'accepted') this.refusals += 1;
    return this.refusals >= (behaviour.hangsUpAfterErrors ?? Number.POSITIVE_INFINITY) ? 'hang_up' : answer;
  }

  private unlimitedAnswer(asked: Asked): Answer {
    const { behaviour } = this.line.host;
    if (this.heard > (behaviour.recipientsPerSession ?? Number.POSITIVE_INFINITY)) return 'full';
    if (isWitness(asked)) return 'accepted';
    if (!asked.exists) return behaviour.refusesVaguely === true ? 'vaguely_refused' : 'refused';
    return behaviour.greylists !== undefined && !asked.tried ? 'greylisted' : 'accepted';
  }
}
