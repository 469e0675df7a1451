const MAX_NAMES = 10;
const MAX_CHARACTERS = 64;

/** Names of fields of a body that the call does not take: the first few of them, the beginning of each. */
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
