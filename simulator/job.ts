import { OPEN_OF_GROUP, planChunks, type DomainWork } from '../src/verify/bulk/plan-chunks.js';
import type { Recipient, SimulatedDomain } from './world.js';

/** A chunk of a job on its way. */
export interface Chunk {
  readonly job: Job;
  readonly kind: 'first' | 'retry';
  /** null: several groups. */
  readonly group: string | null;
  /** The egress that must probe it; null: any. */
  readonly egress: number | null;
  recipients: readonly Recipient[];
  /** Runs in a row that achieved nothing. */
  failures: number;
  /** 1 is served first. */
  readonly priority: number;
}

/** A job: its chunks by the product's own plan, and how many of them are open. */
export class Job {
  readonly startedMs: number;
  /** Chunks that are not done. */
  open = 0;
  private readonly held = new Map<string, Chunk[]>();

  constructor(
    readonly recipients: readonly Recipient[],
    nowMs: number,
  ) {
    this.startedMs = nowMs;
  }

  /** @returns the chunks that start at once */
  plan(atOnce: number): Chunk[] {
    const work = new Map<SimulatedDomain, Recipient[]>();
    for (const recipient of this.recipients) {
      const own = work.get(recipient.domain);
      if (own === undefined) work.set(recipient.domain, [recipient]);
      else own.push(recipient);
    }
    const domains = [...work].map(([{ name, host }, targets]): DomainWork<Recipient> => {
      return { domain: name, group: host.group, targets };
    });
    const begin: Chunk[] = [];
    for (const [index, { group, rank, targets }] of planChunks(domains, { keepDomains: false, atOnce }).entries()) {
      const chunk = this.chunk({ kind: 'first', group, egress: null, recipients: targets, priority: index + 1 });
      if (rank <= OPEN_OF_GROUP || group === null) begin.push(chunk);
      else this.held.set(group, [...(this.held.get(group) ?? []), chunk]);
    }
    return begin;
  }

  chunk(of: Omit<Chunk, 'job' | 'failures'>): Chunk {
    this.open += 1;
    return { ...of, job: this, failures: 0 };
  }

  /** @returns the next chunk of the group */
  done({ group }: Chunk): Chunk | null {
    this.open -= 1;
    return group === null ? null : (this.held.get(group)?.shift() ?? null);
  }
}
