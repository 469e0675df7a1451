/** What a step may take of the time left while other mail hosts wait to be tried. */
const SHARE_WHILE_OTHERS_WAIT = 0.75;

/**
 * Milliseconds for the next step: its own limit, cut by what is left of the check. While other hosts wait, a quarter of
 * the time left is kept for them: a silent best host then leaves a single call (8 s) 2 s for a healthy second one, and a
 * worker's probe (60 s) still lets the best host greet as late as 40 s.
 */
export function stepBudgetMs(ownLimitMs: number, remainingMs: number, othersWait: boolean): number {
  return Math.min(ownLimitMs, othersWait ? remainingMs * SHARE_WHILE_OTHERS_WAIT : remainingMs);
}
