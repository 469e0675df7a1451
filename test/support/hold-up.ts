/** Nothing else runs in this process for so long, as on a machine that is busy with others. */
export function holdUp(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}
