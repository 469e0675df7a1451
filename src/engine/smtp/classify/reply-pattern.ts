import type { ReplyClass } from '../classification.js';

/**
 * How much a phrase says, strongest first:
 *
 * - `explicit`: a sentence about the mailbox, the sender or the session: overrides the enhanced code;
 * - `word`: a word of sender refusals: overrides the enhanced code, but not a sentence about the mailbox;
 * - `weak`: decides only if the enhanced code says nothing, or just "security or policy" (x.7.0, x.7.1);
 * - `faint`: decides only without a meaningful enhanced code.
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
  /** Why the pattern exists, in an operator's words. */
  readonly reason: string;
  /** Applies at these providers only; such a pattern decides over all others. */
  readonly providers?: readonly string[];
  /** Applies beside these enhanced codes only (`subject.detail`); such a pattern decides over those without. */
  readonly enhanced?: readonly string[];
  /** Plain although weak: words about the mailbox that need no witness. */
  readonly proves?: true;
  /** A word of policy that does not say whom it is about: only another accepted recipient proves it. */
  readonly vague?: true;
  /** Accuses the sender: beside it no sentence about the mailbox proves anything. */
  readonly accuses?: true;
  /** Applies to replies of this kind only. */
  readonly only?: 'permanent' | 'transient';
}
