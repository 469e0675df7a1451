import type { Answer } from '../answer.js';
import type { Classification } from '../classification.js';
import { judgeRandom, wasSessionUsedUp } from '../judge-random.js';
import type { ProbeFacts } from '../prober.js';
import type { HeldAnswer } from './candidate.js';

/** One try with the recipients, and one more at the start of a new session. */
const MAX_TRIES = 2;

/** The one random recipient of a domain at a mail host, asked about for all recipients accepted there. */
export class RandomProbe {
  readonly utf8 = false;
  private tries = 0;
  private underWay = false;
  private found: ProbeFacts['random'] | null = null;
  private unproven: ProbeFacts['random'] | null = null;
  /** Accepted recipients that wait for the result. */
  private accepted: HeldAnswer[] = [];

  constructor(
    readonly domain: string,
    readonly path: string,
  ) {}

  /** The result; null until it is known. */
  get result(): ProbeFacts['random'] | null {
    return this.found;
  }

  /** May be added to a batch. */
  get isDue(): boolean {
    return this.found === null && !this.underWay;
  }

  /** An accepted recipient waits, and the random one is neither queued nor in a batch. */
  get isWanted(): boolean {
    return this.isDue && this.accepted.length > 0;
  }

  /** Marks it as queued or in a batch. */
  reserve(): void {
    this.underWay = true;
  }

  /** Undoes `reserve`: the batch was not asked about. */
  requeue(): void {
    this.underWay = false;
  }

  wait(accepted: HeldAnswer): void {
    this.accepted.push(accepted);
  }

  onAnswer(answer: Answer, judged: Classification | null): void {
    this.underWay = false;
    this.tries += 1;
    if (wasSessionUsedUp(answer, judged) && this.tries < MAX_TRIES) return;
    // The recipients that wait for it were accepted.
    this.found = judgeRandom(answer, judged, true);
    this.unproven = judgeRandom(answer, judged, false);
  }

  /** The result where no recipient was accepted. */
  get resultWithoutWitness(): ProbeFacts['random'] | null {
    return this.unproven ?? this.found;
  }

  /**
   * Records a try without a usable answer.
   * @returns whether to try again
   */
  missed(): boolean {
    if (this.tries + 1 >= MAX_TRIES) return false;
    this.tries += 1;
    this.underWay = false;
    return true;
  }

  /** Ends the probe without a result. */
  giveUp(): void {
    this.underWay = false;
    this.found ??= 'inconclusive';
  }

  /** Removes and returns the recipients that wait, once there is a result. */
  takeAccepted(): readonly HeldAnswer[] {
    if (this.found === null) return [];
    const { accepted } = this;
    this.accepted = [];
    return accepted;
  }
}
