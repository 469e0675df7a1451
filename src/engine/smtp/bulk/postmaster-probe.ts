import { findingOf, isPostmaster, postmasterOf, type WitnessFinding } from '../witness.js';
import type { Candidate, Heard } from './candidate.js';

/** A recipient whose refusal does not prove of whom it speaks. */
export interface HeldRefusal {
  readonly candidate: Candidate;
  readonly heard: Heard;
}

/**
 * The witness of a domain at a mail host (decisions 6.12). Refusals that prove nothing are held until another recipient is
 * accepted or nobody else is left to be asked about; then postmaster is, once for all of them.
 */
export class PostmasterProbe {
  readonly utf8 = false;
  readonly path: string;
  /** Another recipient of the domain was accepted there in this run. */
  othersAccepted = false;
  private readonly open = new Set<Candidate>();
  private held: HeldRefusal[] = [];
  private sought = false;
  private told: Heard | null = null;

  constructor(readonly domain: string) {
    this.path = postmasterOf(domain);
  }

  /** A recipient of the domain waits to be asked about. */
  expect(candidate: Candidate): void {
    this.open.add(candidate);
  }

  /** It was heard, or is not asked about there any more. */
  dismiss(candidate: Candidate): void {
    this.open.delete(candidate);
  }

  hold(refusal: HeldRefusal): void {
    this.open.delete(refusal.candidate);
    this.held.push(refusal);
  }

  /** Everybody else was heard, and none of them was accepted. */
  get isDue(): boolean {
    return this.held.length > 0 && this.open.size === 0;
  }

  /** Postmaster has not been asked about, and somebody else's refusal waits for it. */
  get isWorthAsking(): boolean {
    return !this.sought && this.held.some(({ candidate }) => !isPostmaster(candidate.path));
  }

  /** It stands in line. */
  reserve(): void {
    this.sought = true;
  }

  heard(told: Heard): void {
    this.told = told;
  }

  /** Those who waited. */
  takeHeld(): readonly HeldRefusal[] {
    const { held } = this;
    this.held = [];
    return held;
  }

  /** What the answer about postmaster shows of a refusal; nothing where there is none. */
  findingFor({ candidate, heard }: HeldRefusal): WitnessFinding {
    const { told, path } = this;
    if (told === null || isPostmaster(candidate.path)) return 'inconclusive';
    const { ownNames } = heard.context;
    return findingOf(
      { answer: heard.answer, recipient: candidate.path, ownNames },
      { answer: told.answer, recipient: path, ownNames },
    );
  }
}
