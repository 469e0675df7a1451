import { RECOMMENDATIONS, RESULTS } from '../../engine/verdict/result.js';

/** Tokens with their own count; all others are counted together (decisions 9.1). */
export const KNOWN_TOKENS = {
  verdict: RESULTS,
  action: RECOMMENDATIONS,
  source: ['local', 'remote'],
} as const;

/** A field of an event that is counted by token. */
export type TokenField = keyof typeof KNOWN_TOKENS;
export const OTHER = 'other';
