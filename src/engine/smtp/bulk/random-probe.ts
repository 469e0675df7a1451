import type { Answer } from '../answer.js';
import type { Classification } from '../classification.js';
import { judgeRandom, wasSessionUsedUp } from '../judge-random.js';
import type { ProbeFacts } from '../prober.js';
import type { Candidate, Heard } from './candidate.js';

/** Together with the recipients, and once more in a session that begins with it. */
const MOST_TRIES = 2;

/** An accepted recipient that waits for what the random one will show. */
export interface Accepted {
  readonly candidate: Candidate;
  readonly heard: Heard;
}

/** The one random recipient of a domain that a mail host is asked about, for all recipients it accepts there. */
export class RandomProbe {
  readonly utf8 = false;
  private tries = 0;
  private underWay = false;
  private found: ProbeFacts['random'] | null = null;
  private unproven: ProbeFacts['random'] | null = null;
  private accepted: Accepted[] = [];

  constructor(
    readonly domain: string,
    readonly path: string,
  ) {}

  /** What it showed; null while that is open. */
  get result(): ProbeFacts['random'] | null {
    return this.found;
  }

  /** May be sent along with recipients. */
  get isDue(): boolean {
    return this.found === null && !this.underWay;
  }

  /** An accepted recipient waits, and nobody is asking. */
  get isWanted(): boolean {
    return this.isDue && this.accepted.length > 0;
  }

  /** It is in a flight, or stands in line for one. */
  reserve(): void {
    this.underWay = true;
  }

  /** The flight was not asked about after all. */
  putBack(): void {
    this.underWay = false;
  }

  wait(accepted: Accepted): void {
    this.accepted.push(accepted);
  }

  heard(answer: Answer, judged: Classification | null): void {
    this.underWay = false;
    this.tries += 1;
    if (wasSessionUsedUp(answer, judged) && this.tries < MOST_TRIES) return;
    // Whoever waits for it was accepted.
    this.found = judgeRandom(answer, judged, true);
    this.unproven = judgeRandom(answer, judged, false);
  }

  /** What it shows where nobody was accepted. */
  get resultWithoutWitness(): ProbeFacts['random'] | null {
    return this.unproven ?? this.found;
  }

  /** The session got out of step with it. @returns whether it is worth another try */
  missed(): boolean {
    if (this.tries + 1 >= MOST_TRIES) return false;
    this.tries += 1;
    this.underWay = false;
    return true;
  }

  /** It will not be asked any more. */
  giveUp(): void {
    this.underWay = false;
    this.found ??= 'inconclusive';
  }

  /** Those who waited, once there is a result. */
  takeAccepted(): readonly Accepted[] {
    if (this.found === null) return [];
    const { accepted } = this;
    this.accepted = [];
    return accepted;
  }
}
