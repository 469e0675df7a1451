import { withoutNames } from './without-names.js';

/** Longest delay granted to a host, in seconds (decisions 6.5). */
export const MAX_RETRY_DELAY = 3_600;

/** Seconds per unit, by the beginning of its name in the languages of greylisting servers. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [
    /^(?:h|hrs?|hours?|heures?|horas?|ore|ora|stunden?|std|uur|uren|timm(?:e|ar)|timer|час\p{L}*|godzin\p{L}*|hodin\p{L}*|saat)$/u,
    3_600,
  ],
  [
    /^(?:m|mins?|minutes?|minutos?|minut[ioaey]|minut|minuten|minuter|minutter|мин\p{L}*|хвилин\p{L}*|dakika|perc)$/u,
    60,
  ],
  [
    /^(?:s|secs?|seconds?|secondes?|segundos?|second[io]|sek|sekunden?|seconden|sekunder|sek\p{L}*|сек\p{L}*|saniye|masodperc)$/u,
    1,
  ],
];

/** A word that marks a future time instead of the period of a limit. */
const CUE =
  /retry|try|again|wait|back|later|delay|gr[ea]yl|defer|resend|expire|erneut|versuch|warte|warten|essay|intent|riprov|tent|попроб|повтор|sprobuj|ponownie|opnieuw|zkuste|igen|tekrar/;
/** Excludes the time of day of a log line. */
const CLOCK = /(?:\b(?:in|after|for|within|wait|delay)\s{1,3}|[([=]\s?)(\d{1,2}):([0-5]\d):([0-5]\d)\b/;
const AMOUNT = /(?<![\d.:])(\d{1,6})\s{0,3}-?\s{0,3}(\p{L}{1,14})/gu;
const ONE = /\b(?:an?|one)\s{1,3}(?=hour|minute)/g;
const JOINTS = new Set(['and', 'und', 'et', 'y', 'e']);
/** `retry after 300`, `retry=300`: seconds, as in HTTP. */
const BARE = /\b(?:retry[ _-]?(?:after|in)|wait|delay)\s{0,3}[:=]?\s{0,3}(\d{1,6})\b(?![.:]\d)/;

/**
 * Parses the delay that a deferral asks for: "try again in 5 minutes", "retry after 300 seconds", "00:04:58", "4 min 30
 * s".
 * @returns whole seconds, 1 to `MAX_RETRY_DELAY`; null if the text names none
 */
export function retryDelay(lines: readonly string[]): number | null {
  const text = withoutNames(lines).toLowerCase().replaceAll('(s)', '').replace(ONE, '1 ');
  const cue = CUE.exec(text);
  if (cue === null || !/\d/.test(text)) return null;
  // Most name the time after the request; some before it: "in 5 minutes try again".
  return delayIn(text.slice(cue.index)) ?? delayIn(text.slice(0, cue.index));
}

function delayIn(text: string): number | null {
  const clock = CLOCK.exec(text);
  if (clock) return granted(Number(clock[1]) * 3_600 + Number(clock[2]) * 60 + Number(clock[3]));
  return amountIn(text) ?? granted(Number(BARE.exec(text)?.[1] ?? 0));
}

/** Adjacent amounts with falling units are one time: `4 min 30 s`. */
function amountIn(text: string): number | null {
  let seconds = 0;
  let unitBefore = Infinity;
  let end = -1;
  for (const match of text.matchAll(AMOUNT)) {
    const unit = unitOf(match[2]!);
    const apart = end !== -1 && !joins(text.slice(end, match.index));
    if (unit === null || unit >= unitBefore || apart) {
      if (end !== -1) break;
      continue;
    }
    seconds += Number(match[1]) * unit;
    unitBefore = unit;
    end = match.index + match[0].length;
  }
  return granted(seconds);
}

/** True if the text may stand between the amounts of one time. */
function joins(between: string): boolean {
  const [word, another] = between.split(/[\s,]+/).filter((piece) => piece !== '');
  return word === undefined || (another === undefined && JOINTS.has(word));
}

function unitOf(word: string): number | null {
  return UNITS.find(([name]) => name.test(word))?.[1] ?? null;
}

function granted(seconds: number): number | null {
  return seconds >= 1 ? Math.min(seconds, MAX_RETRY_DELAY) : null;
}
