import { describeFaults } from '../../platform/validation/describe-faults.js';
import type { Fault } from '../../platform/validation/fault.js';
import { readObject } from '../../platform/validation/read-object.js';
import { GuardEventRequest, MAX_DOMAIN } from './guard-event.request.js';

export interface ReadEvents {
  /** In the order sent. */
  readonly accepted: readonly GuardEventRequest[];
  readonly rejected: number;
  /** The faults of the other events, without their values; null: there is none. */
  readonly faults: string | null;
}

/** Reads events one by one, and drops the invalid ones (decisions 9.2). */
export function readEvents(events: readonly unknown[]): ReadEvents {
  const accepted: GuardEventRequest[] = [];
  const faults: Fault[] = [];
  for (const [position, sent] of events.entries()) {
    const read = readObject(GuardEventRequest, sent);
    if (read.faults === null) accepted.push(withLowercaseDomain(read.value));
    else faults.push(...read.faults.map(({ path, rule }) => ({ path: ['events', position, ...path], rule })));
  }
  return {
    accepted,
    rejected: events.length - accepted.length,
    faults: faults.length === 0 ? null : describeFaults(faults, { events }),
  };
}

function withLowercaseDomain(sent: GuardEventRequest): GuardEventRequest {
  // Some letters become two in lowercase.
  return { ...sent, domain: sent.domain === null ? null : sent.domain.toLowerCase().slice(0, MAX_DOMAIN) };
}
