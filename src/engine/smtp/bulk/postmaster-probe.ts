import { findingOf, isPostmaster, postmasterOf, type WitnessFinding } from '../witness.js';
import { MANY_UNPROVEN, type RememberedAcceptance } from '../accepted-recipients.js';
import type { Candidate, HeldAnswer, ReceivedAnswer } from './candidate.js';

/**
 * The witness of a domain at a mail host (decisions 6.12). Holds ambiguous refusals until another recipient is
 * accepted, or until all others are answered. Then postmaster is asked about, once for all refusals, if none was
 * accepted before them; and if many were refused since, the recipient that was accepted, or postmaster, is asked about again.
 */
export class PostmasterProbe {
  readonly utf8 = false;
  path: string;
  /** What an acceptance before the held refusals says of them; null without one. */
  before: 'recipient_accepted' | 'recipient_accepted_before' | null = null;
  /** What was accepted before this run is old. */
  private isOld = false;
  private acceptedPath: string | null = null;
  private readonly open = new Set<Candidate>();
  /** Refusals that may concern our session rather than the recipient. */
  private held: HeldAnswer[] = [];
  private sought = false;
  private ownAnswer: ReceivedAnswer | null = null;

  constructor(readonly domain: string) {
    this.path = postmasterOf(domain);
  }

  /** This run has seen another recipient of the domain accepted there. */
  get othersAccepted(): boolean {
    return this.acceptedPath !== null;
  }

  /** Records that a recipient other than postmaster was accepted. */
  accept(path: string): void {
    this.acceptedPath = path;
    this.before = 'recipient_accepted';
    this.isOld = false;
  }

  /** Records what is remembered from before this run; an acceptance of this run says more. */
  recall(remembered: RememberedAcceptance | null): void {
    if (remembered === null || this.before !== null) return;
    this.before = 'recipient_accepted_before';
    this.isOld = remembered === 'earlier';
  }

  /** Adds a recipient of the domain that waits to be asked about. */
  expect(candidate: Candidate): void {
    this.open.add(candidate);
  }

  /** Removes a recipient that was answered, or is asked about there no more. */
  dismiss(candidate: Candidate): void {
    this.open.delete(candidate);
  }

  hold(refusal: HeldAnswer): void {
    this.open.delete(refusal.candidate);
    this.held.push(refusal);
  }

  /** All other recipients are answered, and none was accepted since the first held refusal. */
  get isDue(): boolean {
    return this.held.length > 0 && this.open.size === 0;
  }

  /** The acceptance before the held refusals is old, or they are many: the host may have blocked us since. */
  get isDoubtful(): boolean {
    return this.isOld || this.held.length >= MANY_UNPROVEN;
  }

  /** Postmaster was not asked about, and the refusal of another recipient waits for it. */
  get isWorthAsking(): boolean {
    return !this.sought && this.held.some(({ candidate }) => !isPostmaster(candidate.path));
  }

  /** Marks it as queued. */
  reserve(): void {
    this.sought = true;
    this.path = this.acceptedPath ?? this.path;
  }

  /** Undoes `reserve`: it is not worth asking yet. */
  forgo(): void {
    this.sought = false;
  }

  onAnswer(ownAnswer: ReceivedAnswer): void {
    this.ownAnswer = ownAnswer;
  }

  /** Removes and returns the held refusals. */
  takeHeld(): readonly HeldAnswer[] {
    const { held } = this;
    this.held = [];
    return held;
  }

  /**
   * Judges a refusal by the answer to this probe; without one, by what was accepted before.
   * @param isDoubtful that acceptance alone proves nothing
   */
  findingFor({ candidate, received }: HeldAnswer, isDoubtful: boolean): WitnessFinding {
    const { ownAnswer, path, before } = this;
    if (ownAnswer === null || isPostmaster(candidate.path)) return (isDoubtful ? null : before) ?? 'inconclusive';
    const { ownNames } = received.context;
    const found = findingOf(
      { answer: received.answer, recipient: candidate.path, ownNames },
      { answer: ownAnswer.answer, recipient: path, ownNames },
    );
    return found === 'postmaster_accepted' ? (before ?? found) : found;
  }
}
