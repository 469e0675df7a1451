import type { ReplyClass } from '../classification.js';
import { PhraseIndex } from './phrases.js';
import { REPLY_PATTERNS } from './reply-patterns.js';
import { STRENGTHS } from './reply-pattern.js';
import type { ReplyPattern, Strength } from './reply-pattern.js';

export interface PatternMatch {
  readonly rule: string;
  readonly class: ReplyClass;
  readonly strength: Strength;
  /** True if it proves what it says, unless something contradicts it. */
  readonly proves: boolean;
  /** True if it does not say whom it is about. */
  readonly vague: boolean;
}

/** The relevant patterns in a reply's words. */
export interface FoundPatterns {
  /** The deciding pattern, or null. */
  readonly match: PatternMatch | null;
  readonly accuses: boolean;
}

/** Properties of a reply that patterns may require besides words. */
export interface PatternConditions {
  readonly provider: string | null;
  /** `subject.detail`. */
  readonly enhanced: string | null;
  readonly permanent: boolean;
}

/**
 * Precedence among equally strong patterns of several classes. Greylisting is called by its name, whatever else the
 * reply says. A restricted recipient is described in words that would otherwise be about us. Words about us precede
 * words about the mailbox, because reading a refusal of us as a missing mailbox is the one error that must not happen.
 * Specific words about a mailbox precede vague ones.
 */
const PRECEDENCE: readonly ReplyClass[] = [
  'greylisted',
  'mailbox_rate_limited',
  'recipient_restricted',
  'tls_required',
  'auth_required',
  'policy',
  'relay_denied',
  'too_many_recipients',
  'server_fault',
  'mailbox_full',
  'mailbox_disabled',
  'mailbox_not_found',
];

interface RankedPattern {
  readonly pattern: ReplyPattern;
  readonly match: PatternMatch;
  /** The lowest decides. */
  readonly rank: number;
  /** True if it applies to some replies only. */
  readonly conditional: boolean;
}

/** Made for the first reply: it takes 20 ms, which a process that reads none has no use for. */
let patternIndex: PhraseIndex<RankedPattern> | undefined;

function buildIndex(patterns: readonly ReplyPattern[]): PhraseIndex<RankedPattern> {
  const ranked = patterns.map((pattern): RankedPattern => {
    const proves = pattern.strength === 'explicit' || pattern.proves === true;
    const match = {
      rule: pattern.id,
      class: pattern.class,
      strength: pattern.strength,
      proves,
      vague: pattern.vague === true,
    };
    const conditional = (pattern.providers ?? pattern.enhanced ?? pattern.only) !== undefined;
    return { pattern, match, rank: rankOf(pattern), conditional };
  });
  const index = new PhraseIndex<RankedPattern>();
  for (const entry of ranked.sort((a, b) => a.rank - b.rank)) {
    for (const phrase of entry.pattern.phrases) index.add(phrase, entry);
  }
  return index;
}

function rankOf(pattern: ReplyPattern): number {
  const special = pattern.providers !== undefined || pattern.enhanced !== undefined;
  const ofStrength = STRENGTHS.indexOf(pattern.strength) * 100 + PRECEDENCE.indexOf(pattern.class);
  return (special ? 0 : 1_000) + ofStrength + (pattern.vague ? 0.5 : 0);
}

/** Finds the deciding pattern of a reply's words, and whether any accuses us. */
export function findPatterns(words: readonly string[], conditions: PatternConditions): FoundPatterns {
  let match: PatternMatch | null = null;
  let bestRank = Infinity;
  let accuses = false;
  patternIndex ??= buildIndex(REPLY_PATTERNS);
  patternIndex.search(
    words,
    (entry) => {
      const matters = entry.rank < bestRank || (entry.pattern.accuses === true && !accuses);
      return matters && (!entry.conditional || holds(entry.pattern, conditions));
    },
    (entry) => {
      accuses ||= entry.pattern.accuses === true;
      if (entry.rank >= bestRank) return;
      match = entry.match;
      bestRank = entry.rank;
    },
  );
  return { match, accuses };
}

function holds(pattern: ReplyPattern, { provider, enhanced, permanent }: PatternConditions): boolean {
  if (pattern.only !== undefined && (pattern.only === 'permanent') !== permanent) return false;
  if (pattern.providers !== undefined && (provider === null || !pattern.providers.includes(provider))) return false;
  return pattern.enhanced === undefined || (enhanced !== null && pattern.enhanced.includes(enhanced));
}
