const DAY = /^\d{4}-\d\d-\d\d$/;

/** The days that somebody chose, both of them included, as the API takes times: in the zone that the page shows its times in. */
export function asTimes({ from, to }: { from: string; to: string }): { from: string; to: string } {
  return { from: midnight(from, 0), to: midnight(to, 1) };
}

/** The beginning of a day, or of one after it; what is no day stays as it is, and the API says so. */
function midnight(day: string, daysAfter: number): string {
  const at = new Date(`${day}T00:00`);
  if (!DAY.test(day) || Number.isNaN(at.getTime())) return day;
  at.setDate(at.getDate() + daysAfter);
  return at.toISOString();
}
