import { z } from 'zod';
import { fieldsOf } from '../../platform/http/request-input.js';
import type { GuardEvent } from './guard-event.js';
import { holdsAddress, holdsAtSign } from './holds-address.js';

/** Events of one call (decisions 1.5). */
const MAX_EVENTS = 100;
const MAX_REASONS = 20;
const MAX_DOMAIN = 253;
const NO_ADDRESS = 'an address must not be sent';

/** Body of `POST /v1/guard/events`. What an event has to look like is a question of that event alone (decisions 9.2). */
export const guardEventsRequest = z.object({ events: z.array(z.unknown()).min(1).max(MAX_EVENTS) });

const token = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,64}$/, { error: 'it is 1 to 64 of A-Z, a-z, 0-9, _, ., : and -', abort: true });
/** Halves of characters can be stored nowhere. */
const text = (max: number) =>
  z
    .string()
    .max(max, { abort: true })
    .refine((sent) => !/\p{Cs}/u.test(sent), { error: 'it is no Unicode text', abort: true });
const label = text(64)
  .nullish()
  .transform((sent) => sent ?? null);

const sentEvent = z.object({
  // First: whatever else is wrong with an event, this is what its sender has to hear of.
  domain: text(MAX_DOMAIN)
    .refine((sent) => !holdsAtSign(sent), { error: NO_ADDRESS })
    // Some letters become two.
    .transform((sent) => sent.toLowerCase().slice(0, MAX_DOMAIN))
    .nullish()
    .transform((sent) => sent ?? null),
  verdict: token,
  action: token,
  reasons: z.array(text(64).refine((sent) => !holdsAddress(sent), { error: NO_ADDRESS })).max(MAX_REASONS),
  degraded: z.boolean(),
  source: token,
  integration: label,
  lib_version: label,
  spec_version: label,
  property_key: label,
});

export const EVENT_FIELDS = new Set(fieldsOf(sentEvent));

/** One event. Unknown fields are ignored; null equals leaving a field out. */
export const guardEvent = sentEvent.transform(({ lib_version, spec_version, property_key, ...event }): GuardEvent => ({
  ...event,
  libVersion: lib_version,
  specVersion: spec_version,
  propertyKey: property_key,
}));
