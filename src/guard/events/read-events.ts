import { describeFaults } from '../../platform/validation/describe-faults.js';
import type { Fault } from '../../platform/validation/fault.js';
import { readObject } from '../../platform/validation/read-object.js';
import type { GuardEvent } from './guard-event.js';
import { GuardEventRequest, MAX_DOMAIN } from './guard-event.request.js';

export interface ReadEvents {
  /** In the order sent. */
  readonly accepted: readonly GuardEvent[];
  readonly rejected: number;
  /** The faults of the other events, without their values; null: there is none. */
  readonly faults: string | null;
}

/** Reads events one by one, and drops the invalid ones (decisions 9.2). */
export function readEvents(events: readonly unknown[]): ReadEvents {
  const accepted: GuardEvent[] = [];
  const faults: Fault[] = [];
  for (const [position, sent] of events.entries()) {
    const read = readObject(GuardEventRequest, sent);
    if (read.faults === null) accepted.push(toGuardEvent(read.value));
    else faults.push(...read.faults.map(({ path, rule }) => ({ path: ['events', position, ...path], rule })));
  }
  return {
    accepted,
    rejected: events.length - accepted.length,
    faults: faults.length === 0 ? null : describeFaults(faults, { events }),
  };
}

function toGuardEvent(sent: GuardEventRequest): GuardEvent {
  const { domain, lib_version, property_key, spec_version, ...same } = sent;
  return {
    // Some letters become two in lowercase.
    domain: domain === null ? null : domain.toLowerCase().slice(0, MAX_DOMAIN),
    ...same,
    libVersion: lib_version,
    specVersion: spec_version,
    propertyKey: property_key,
  };
}
