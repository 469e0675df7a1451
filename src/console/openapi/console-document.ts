/** The OpenAPI document of the console's API, made when it is first asked for. */
export class ConsoleDocument {
  private kept: string | null = null;

  constructor(private readonly describe: () => string) {}

  get text(): string {
    this.kept ??= this.describe();
    return this.kept;
  }
}
