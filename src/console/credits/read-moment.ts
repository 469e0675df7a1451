/** A day, or a time of it, to the millisecond at most; years that every database knows. */
const FORM = /^([12]\d{3}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/;

/** Reads a day, which begins at 0:00 UTC, or a time, in UTC unless it names an offset; null for anything else. */
export function readMoment(text: string): Date | null {
  const [, day, time = '00:00', offset = 'Z'] = FORM.exec(text) ?? [];
  if (day === undefined) return null;
  const midnight = new Date(`${day}T00:00Z`);
  // 30 February is 2 March to `Date`.
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return null;
  const at = new Date(`${day}T${time}${offset}`);
  return Number.isNaN(at.getTime()) ? null : at;
}
