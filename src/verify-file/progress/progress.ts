import { RESULTS, type Result } from '../../engine/verdict/result.js';

/** How far a run is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  /** Addresses that wait for a retry, or for mail hosts that are busy or refused us. */
  readonly waiting: number;
  /** Addresses by verdict. */
  readonly counts: Readonly<Record<Result, number>>;
}

/** The speed over the last seconds. */
export class Pace {
  private readonly points: { readonly at: number; readonly done: number }[] = [];

  /** @param windowMs how far back it looks */
  constructor(private readonly windowMs = 30_000) {}

  /** @returns addresses a second; null until it can tell */
  note(done: number, now: number): number | null {
    this.points.push({ at: now, done });
    while (this.points.length > 2 && this.points[1]!.at <= now - this.windowMs) this.points.shift();
    const [first] = this.points;
    const seconds = (now - first!.at) / 1000;
    return seconds <= 0 ? null : (done - first!.done) / seconds;
  }
}

const BAR = 20;
const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

/** One line for a terminal, cut to its width. */
export function progressLine(
  { done, total, waiting, counts }: Progress,
  perSecond: number | null,
  columns: number,
): string {
  const share = total === 0 ? 1 : done / total;
  const filled = Math.floor(share * BAR);
  const parts = [
    `[${'#'.repeat(filled)}${'-'.repeat(BAR - filled)}] ${Math.floor(share * 100)}%`,
    `${number.format(done)} of ${number.format(total)}`,
    ...(perSecond === null ? [] : [`${perSecond < 10 ? perSecond.toFixed(1) : number.format(perSecond)}/s`]),
    ...(perSecond === null || perSecond === 0 || done === total
      ? []
      : [`${duration((total - done) / perSecond)} left`]),
    ...RESULTS.filter((result) => counts[result] > 0).map((result) => `${result} ${number.format(counts[result])}`),
    ...(waiting === 0 ? [] : [`waiting ${number.format(waiting)}`]),
  ];
  return parts.join('  ').slice(0, columns - 1);
}

/** The same as a JSON object, for logs. */
export function progressJson({ done, total, waiting, counts }: Progress, perSecond: number | null): string {
  const left = perSecond === null || perSecond === 0 ? null : Math.ceil((total - done) / perSecond);
  const rate = perSecond === null ? null : Math.round(perSecond * 10) / 10;
  return JSON.stringify({ done, total, waiting, per_second: rate, seconds_left: left, results: counts });
}

/** `0:07`, `12:30`, `2:05:09`. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`;
}
