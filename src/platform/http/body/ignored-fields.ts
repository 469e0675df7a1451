const MAX_NAMES = 10;
const MAX_CHARACTERS = 64;

/** Collects names of body fields that the call does not take: the first few, each cut short. */
export class IgnoredFields {
  private readonly kept: string[];

  constructor(before: readonly string[] = []) {
    this.kept = [...before];
  }

  get names(): readonly string[] {
    return this.kept;
  }

  add(name: string): void {
    if (this.kept.length < MAX_NAMES) this.kept.push(name.slice(0, MAX_CHARACTERS));
  }
}
