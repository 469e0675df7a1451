import type { ReplyClass } from '../classification.js';
import { PhraseIndex } from './phrases.js';
import { REPLY_PATTERNS } from './reply-patterns.js';
import { STRENGTHS } from './reply-pattern.js';
import type { ReplyPattern, Strength } from './reply-pattern.js';

export interface PatternMatch {
  readonly rule: string;
  readonly class: ReplyClass;
  readonly strength: Strength;
}

/** What a pattern may ask of a reply beside its words. */
export interface PatternConditions {
  readonly provider: string | null;
  /** `subject.detail`. */
  readonly enhanced: string | null;
  readonly permanent: boolean;
}

/**
 * Which class decides when a reply holds sentences of several, equally strong. Greylisting is named by its name, whatever
 * else stands there; a recipient that takes mail from some only is told in words that would else speak of us; what speaks of us
 * goes before what speaks of the mailbox, because a refusal of us read as a missing mailbox is the one error that must not happen;
 * what says more of a mailbox goes before what says less.
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
  /** Lower decides. */
  readonly rank: number;
  /** True when it holds for some replies only. */
  readonly conditional: boolean;
}

const INDEX = buildIndex(REPLY_PATTERNS);

function buildIndex(patterns: readonly ReplyPattern[]): PhraseIndex<RankedPattern> {
  const ranked = patterns.map((pattern): RankedPattern => {
    const match = { rule: pattern.id, class: pattern.class, strength: pattern.strength };
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
  return (special ? 0 : 1_000) + STRENGTHS.indexOf(pattern.strength) * 100 + PRECEDENCE.indexOf(pattern.class);
}

/** The pattern that decides over the words of a reply; null when none is in them. */
export function findPattern(words: readonly string[], conditions: PatternConditions): PatternMatch | null {
  let best: PatternMatch | null = null;
  let bestRank = Infinity;
  INDEX.search(
    words,
    (entry) => entry.rank < bestRank && (!entry.conditional || holds(entry.pattern, conditions)),
    (entry) => {
      best = entry.match;
      bestRank = entry.rank;
    },
  );
  return best;
}

function holds(pattern: ReplyPattern, { provider, enhanced, permanent }: PatternConditions): boolean {
  if (pattern.only !== undefined && (pattern.only === 'permanent') !== permanent) return false;
  if (pattern.providers !== undefined && (provider === null || !pattern.providers.includes(provider))) return false;
  return pattern.enhanced === undefined || (enhanced !== null && pattern.enhanced.includes(enhanced));
}
