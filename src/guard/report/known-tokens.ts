import { RECOMMENDATIONS, RESULTS } from '../../engine/verdict/result.js';

/** Tokens that a report names; all others are reported together (decisions 9.1). */
export const KNOWN_TOKENS = {
  verdict: RESULTS,
  action: RECOMMENDATIONS,
  source: ['local', 'remote'],
} as const;

/** A field of an event that is reported by its tokens. */
export type TokenField = keyof typeof KNOWN_TOKENS;
export const OTHER = 'other';
