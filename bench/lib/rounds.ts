/** Enough rounds for a median that one bad round does not change. */
const ROUNDS = 5;

/**
 * Measures each contestant once per round, in turn, so that a slow phase of the machine affects all. Every other round
 * runs backwards; a warm-up round does not count.
 * @returns the results of each contestant, round by round
 */
export async function inTurns<Name extends string, Value>(
  contestants: Readonly<Record<Name, () => Value | Promise<Value>>>,
  rounds = ROUNDS,
): Promise<Record<Name, Value[]>> {
  const names = Object.keys(contestants) as Name[];
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Name, Value[]>;
  for (let round = 0; round <= rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const value = await contestants[name]();
      if (round > 0) values[name].push(value);
    }
  }
  return values;
}
