import type { ReplyClass } from '../classification.js';

/**
 * How much a phrase says, strongest first:
 *
 * - `explicit`: a sentence about the mailbox, the sender or the session: decides over the enhanced code;
 * - `word`: a word that servers use for refusals of the sender: decides over the enhanced code, but not over a sentence
 *   about the mailbox;
 * - `weak`: decides only where the enhanced code says nothing, or no more than "security or policy" (x.7.0, x.7.1);
 * - `faint`: decides only where there is no enhanced code that says anything.
 */
export const STRENGTHS = ['explicit', 'word', 'weak', 'faint'] as const;
export type Strength = (typeof STRENGTHS)[number];

/** One row of the pattern table. */
export interface ReplyPattern {
  /** The rule that a classification names: stable, kebab-case. */
  readonly id: string;
  readonly class: ReplyClass;
  readonly strength: Strength;
  /** Phrases in the notation of `phrases.ts`. */
  readonly phrases: readonly string[];
  /** Why it stands in the table, in words an operator understands. */
  readonly reason: string;
  /** Read so at these providers only: such a pattern decides over all others. */
  readonly providers?: readonly string[];
  /** Read so beside these enhanced codes only, as `subject.detail`: such a pattern decides over those without. */
  readonly enhanced?: readonly string[];
  /** It says so plainly although it is weak: words about the mailbox that need no witness. */
  readonly proves?: true;
  /** Of a word of policy: it does not say of whom it speaks, so that only another recipient that was accepted proves it. */
  readonly vague?: true;
  /** An accusation of whoever sends: beside it no sentence about the mailbox proves anything. */
  readonly accuses?: true;
  /** Read so in replies of this kind only. */
  readonly only?: 'permanent' | 'transient';
}
