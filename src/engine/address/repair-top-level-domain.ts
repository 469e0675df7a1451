import { ONE_SLIP, typingCost } from './typing-cost.js';

/** Common suffixes. The others are too many, or too similar to each other, to guess. */
const COMMON = ['com', 'net', 'org', 'edu', 'info', 'co.uk', 'com.br', 'com.au', 'co.in', 'co.za', 'co.jp', 'co.nz'];

/** Suffixes reserved outside the public DNS (RFC 6761, RFC 9476), and those used inside private networks. */
const SPECIAL = new Set(
  'test example invalid localhost local onion alt arpa internal intranet private corp home lan host'.split(' '),
);

/**
 * Corrects a misspelt suffix (`shop.cmo`, `shop.co.ukk`), or returns null. Call it only for a top-level domain that
 * does not exist.
 */
export function repairTopLevelDomain(domain: string): string | null {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  if (labels.length < 2 || SPECIAL.has(last)) return null;

  let best: { ending: string; labels: number; cost: number } | null = null;
  for (const taken of labels.length > 2 ? [1, 2] : [1]) {
    const typed = labels.slice(-taken).join('.');
    for (const ending of COMMON) {
      const cost = typed.length > 1 ? typingCost(typed, ending, ONE_SLIP) : Infinity;
      if (cost < (best?.cost ?? Infinity)) best = { ending, labels: taken, cost };
    }
  }
  return best && [...labels.slice(0, -best.labels), best.ending].join('.');
}
