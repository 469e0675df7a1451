import { Injectable } from '@nestjs/common';

/** The health of one part of the process, beside its readiness. Anybody who can reach the port may read it. */
export interface HealthDetail {
  readonly state: unknown;
  /** Problems that an operator should fix, one line each. */
  readonly warnings: readonly string[];
}

/** Details of `/health/ready`. Parts of the process add theirs; they never make the check fail. */
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
