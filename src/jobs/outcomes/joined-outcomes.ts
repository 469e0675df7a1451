/** The facts of an address, and its entries in the job. */
export interface OutcomeText {
  readonly positions: readonly number[];
  /** See `writeEntryFacts`. */
  readonly facts: string;
}

/** Joins outcomes for a row of `job_outcomes`, a line each: JSON has neither tabs nor line breaks. */
export function joinOutcomes(outcomes: readonly OutcomeText[]): string {
  return outcomes.map(({ positions, facts }) => `${positions.join(',')}\t${facts}`).join('\n');
}

export function splitOutcomes(joined: string): OutcomeText[] {
  return joined.split('\n').map((line) => {
    const tab = line.indexOf('\t');
    return { positions: line.slice(0, tab).split(',').map(Number), facts: line.slice(tab + 1) };
  });
}
