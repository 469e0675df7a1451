/** A requester may have as many times more places than it leaves free: alone, three quarters of them. */
const SHARE = 3;

/** Whether a requester that has `own` places may take one more of those that are free. */
export function mayTakePlace(own: number, free: number): boolean {
  return own < SHARE * free;
}
