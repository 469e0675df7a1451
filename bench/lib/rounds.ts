/** Enough for a median that one bad round does not move. */
const ROUNDS = 5;

/**
 * Measures each contestant once a round, one after the other, so that a machine that slows down does so for all of them.
 * Every other round goes backwards; a round before the first one warms up and does not count.
 * @returns what each contestant's call gave, round by round
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
