import { Injectable } from '@nestjs/common';

/** What a part of the process says of its health besides being ready. Shown to anybody who can reach the port. */
export interface HealthDetail {
  readonly state: unknown;
  /** What an operator should mend, one line each. */
  readonly warnings: readonly string[];
}

/** Details of `/health/ready`: parts of the process add theirs. They never make it fail. */
@Injectable()
export class HealthDetails {
  private readonly sources = new Map<string, () => HealthDetail>();

  add(name: string, read: () => HealthDetail): void {
    this.sources.set(name, read);
  }

  read(): { readonly details: Readonly<Record<string, unknown>>; readonly warnings: readonly string[] } {
    const read = [...this.sources].map(([name, source]) => [name, source()] as const);
    return {
      details: Object.fromEntries(read.map(([name, { state }]) => [name, state])),
      warnings: read.flatMap(([, { warnings }]) => warnings),
    };
  }
}
