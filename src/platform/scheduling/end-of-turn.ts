const waiting: (() => void)[] = [];

/** Runs a function that must not throw when this turn of the event loop has read its sockets. What one adds runs with them. */
export function atEndOfTurn(run: () => void): void {
  if (waiting.length === 0) setImmediate(endTurn);
  waiting.push(run);
}

function endTurn(): void {
  // The list may grow meanwhile.
  for (const run of waiting) run();
  waiting.length = 0;
}
