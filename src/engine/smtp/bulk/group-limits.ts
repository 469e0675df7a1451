import type { HostQueue } from './host-queue.js';

type InGroup = Pick<HostQueue, 'group'>;

/** What our limits for groups of hosts rule out during a run. */
export class GroupLimits {
  /** `group domain` pairs. */
  private readonly backedOff = new Set<string>();
  /** In how many milliseconds the pace of each allows more, if known. */
  private readonly full = new Map<string, number | undefined>();
  private readonly crowded = new Set<string>();

  /** Hosts of the group are asked no more about the domain. */
  backOff(group: string, domain: string): void {
    this.backedOff.add(`${group} ${domain}`);
  }

  isBackedOff({ group }: InGroup, domain: string): boolean {
    return this.backedOff.has(`${group} ${domain}`);
  }

  /** Hosts of the group are asked no more. */
  fill(group: string, freeInMs?: number): void {
    this.full.set(group, freeInMs);
  }

  isFull({ group }: InGroup): boolean {
    return this.full.has(group);
  }

  freeInMs({ group }: InGroup): number | undefined {
    return this.full.get(group);
  }

  /** The group allows no connection beside those that are open. */
  crowd(group: string): void {
    this.crowded.add(group);
  }

  clear(group: string): void {
    this.crowded.delete(group);
  }

  isCrowded({ group }: InGroup): boolean {
    return this.crowded.has(group);
  }
}
