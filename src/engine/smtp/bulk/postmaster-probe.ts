import { findingOf, isPostmaster, postmasterOf, type WitnessFinding } from '../witness.js';
import type { Candidate, ReceivedAnswer } from './candidate.js';

/** A refusal that may concern our session rather than the recipient. */
export interface HeldRefusal {
  readonly candidate: Candidate;
  readonly received: ReceivedAnswer;
}

/**
 * The witness of a domain at a mail host (decisions 6.12). Holds ambiguous refusals until another recipient is
 * accepted, or until all others are answered; then postmaster is asked about, once for all refusals.
 */
export class PostmasterProbe {
  readonly utf8 = false;
  readonly path: string;
  /** This run has seen another recipient of the domain accepted there. */
  othersAccepted = false;
  private readonly open = new Set<Candidate>();
  private held: HeldRefusal[] = [];
  private sought = false;
  private ownAnswer: ReceivedAnswer | null = null;

  constructor(readonly domain: string) {
    this.path = postmasterOf(domain);
  }

  /** Adds a recipient of the domain that waits to be asked about. */
  expect(candidate: Candidate): void {
    this.open.add(candidate);
  }

  /** Removes a recipient that was answered, or is asked about there no more. */
  dismiss(candidate: Candidate): void {
    this.open.delete(candidate);
  }

  hold(refusal: HeldRefusal): void {
    this.open.delete(refusal.candidate);
    this.held.push(refusal);
  }

  /** All other recipients are answered and none was accepted. */
  get isDue(): boolean {
    return this.held.length > 0 && this.open.size === 0;
  }

  /** Postmaster was not asked about, and the refusal of another recipient waits for it. */
  get isWorthAsking(): boolean {
    return !this.sought && this.held.some(({ candidate }) => !isPostmaster(candidate.path));
  }

  /** Marks postmaster as queued. */
  reserve(): void {
    this.sought = true;
  }

  onAnswer(ownAnswer: ReceivedAnswer): void {
    this.ownAnswer = ownAnswer;
  }

  /** Removes and returns the held refusals. */
  takeHeld(): readonly HeldRefusal[] {
    const { held } = this;
    this.held = [];
    return held;
  }

  /** Judges a refusal by the answer about postmaster; no finding without an answer. */
  findingFor({ candidate, received }: HeldRefusal): WitnessFinding {
    const { ownAnswer, path } = this;
    if (ownAnswer === null || isPostmaster(candidate.path)) return 'inconclusive';
    const { ownNames } = received.context;
    return findingOf(
      { answer: received.answer, recipient: candidate.path, ownNames },
      { answer: ownAnswer.answer, recipient: path, ownNames },
    );
  }
}
